"""attacks.py PID DAMAGED: sends harmful requests to the service with this process id and prints the answer to each."""

import http.client
import json
import pathlib
import shutil
import socket
import sys
import threading
import time

from common import ask, mebibytes

pid, damaged = sys.argv[1], pathlib.Path(sys.argv[2])
PLACE = ("127.0.0.1", 7980)


def well():
    begun = time.perf_counter()
    status, _, body = ask("/api/v1/ttt")
    assert status == 200 and json.loads(body)["category"] == "draw"
    return (time.perf_counter() - begun) * 1000


def said(what, answer):
    print(f"| {what} | {answer} | {well():.0f} ms, {mebibytes(pid)} MiB |", flush=True)


def raw(data, wait=30.0):
    """Sends some bytes and returns the first line of the answer."""
    with socket.create_connection(PLACE) as stream:
        stream.settimeout(wait)
        try:
            stream.sendall(data)
            answer = stream.recv(4096)
        except (ConnectionError, TimeoutError) as error:
            return type(error).__name__
    return answer.split(b"\r\n")[0].decode() or "closed"


def request(path, host="127.0.0.1:7980", method="GET", more="", body=""):
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n{body}".encode()


def raw_send(stream, body):
    try:
        stream.sendall(request("/api/v1/ttt?moves=true", method="POST", more=f"Content-Length: {len(body)}\r\n") + body)
    except OSError:
        pass


print("| attack | answer | a valid request right after, memory |\n|---|---|---|")
for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/v1/..%2f..%2fetc%2fpasswd", "/api/v1/ttt/sets/..%2fmanifest.json", "/api/v1/ttt/sets/%00", "/api/v1/%ff"):
    said(f"`GET {path}`", raw(request(path)))
said("`Host: evil.example`", raw(request("/api/v1/solutions", host="evil.example")))
said("a batch from a page of another origin", raw(request("/api/v1/ttt", method="POST", more="Origin: http://evil.example\r\nContent-Length: 6\r\n", body="start\n")))
said("`DELETE /api/v1/ttt`", raw(request("/api/v1/ttt", method="DELETE")))
said("a body declared as 100 GB", raw(request("/api/v1/ttt", method="POST", more="Content-Length: 100000000000\r\n")))
said("a body of 64 MB in an undeclared number of chunks", raw(request("/api/v1/ttt", method="POST", more="Transfer-Encoding: chunked\r\n") + b"".join(b"100000\r\n" + b"s" * (1 << 20) + b"\r\n" for _ in range(64))))
said("a position of 20 000 letters", raw(request("/api/v1/ttt?position=" + "a" * 20_000)))
said("an address of 1 MB", raw(request("/" + "a" * (1 << 20))))
said("random bytes", raw(b"\0\xff\0\xff\r\n\r\n"))
said("a batch of one line of 4 MB", raw(request("/api/v1/ttt", method="POST", more=f"Content-Length: {4 << 20}\r\n") + b"a" * (4 << 20)))

slow = [socket.create_connection(PLACE) for _ in range(1000)]
for stream in slow:
    stream.sendall(b"GET /api/v1/ttt HTT")
said("1000 connections that send half a request header and stop", "held for ten seconds")
time.sleep(11)
ended = 0
for stream in slow:
    stream.settimeout(0.2)
    try:
        stream.recv(100)
        ended += 1
    except TimeoutError:
        pass
    except ConnectionError:
        ended += 1
    stream.close()
said("the same after eleven seconds", f"{ended} of 1000 closed")

begun = time.perf_counter()
for _ in range(1000):
    socket.create_connection(PLACE).close()
said("1000 connections opened and dropped", f"accepted in {time.perf_counter() - begun:.2f} s")

body = b"start\n" * 690_000
unread = []
for _ in range(8):
    stream = socket.create_connection(PLACE)
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    threading.Thread(target=lambda stream=stream: raw_send(stream, body), daemon=True).start()
    unread.append(stream)


time.sleep(3)
status = ask("/api/v1/ttt", b"start\n")[0]
said("8 batches of 690 000 positions whose answers are never read", f"another batch: {status}")
time.sleep(45)
status = ask("/api/v1/ttt", b"start\n")[0]
said("the same after 45 seconds", f"another batch: {status}")
for stream in unread:
    stream.close()

results = []


def many(n):
    connection = http.client.HTTPConnection(*PLACE, timeout=60)
    for _ in range(20):
        connection.request("GET", "/api/v1/5x5/stats" if n % 2 else "/api/v1/5x5/line")
        answer = connection.getresponse()
        answer.read()
        results.append(answer.status)


threads = [threading.Thread(target=many, args=(n,)) for n in range(64)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
said("64 clients that request statistics and lines of 5x5, 20 times each", ", ".join(f"{results.count(code)} times {code}" for code in sorted(set(results))))

for file in (damaged / "sets").iterdir():
    file.write_bytes(b"nothing")
said("a solution whose files are overwritten", f"{ask('/api/v1/damaged')[0]}: " + json.loads(ask("/api/v1/damaged")[2])["detail"])
shutil.rmtree(damaged)
said("a solution whose directory is removed", ask("/api/v1/damaged")[0])
shutil.copytree("ttt", damaged)
time.sleep(3)
said("another solution in its place", ask("/api/v1/damaged")[0])
