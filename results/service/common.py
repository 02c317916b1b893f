"""Helpers for requests and for the resources of a process."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request

BASE = "http://127.0.0.1:7980"


def ask(path, body=None, timeout=120):
    """Status, head and body."""
    request = urllib.request.Request(BASE + path, data=body)
    try:
        answer = urllib.request.urlopen(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        answer = error
    return answer.status, answer.headers, answer.read()


def at(solution, position):
    return f"/api/v1/{solution}?" + urllib.parse.urlencode({"position": position})


def document(path):
    return json.loads(ask(path)[2])


def cpu(pid):
    """Seconds of processor time."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def mebibytes(pid):
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith("VmRSS"):
                return int(line.split()[1]) // 1024
    return 0
