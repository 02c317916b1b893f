//! A headless browser, driven by WebDriver.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// The key of an element's reference in WebDriver.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A script that starts the driver, and terminates it together with its browsers when its standard input is closed.
/// In this way, no process remains, no matter how the test ends.
const WATCH: &str = "chromedriver --port=$0 & while read -r line; do :; done; kill -KILL 0";

/// A browser, which is closed when the value is dropped.
pub struct Browser {
    /// A shell that watches the driver, in a separate process group.
    watch: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts a browser with a window of this size. Without `chromedriver`, prints a message and returns `None`, or
    /// fails if `NERODE_BROWSER` is set.
    pub fn start(width: u32, height: u32, dark: bool) -> Option<Self> {
        if Command::new("chromedriver").arg("--version").stdout(Stdio::null()).status().is_err() {
            assert!(std::env::var_os("NERODE_BROWSER").is_none(), "there is no chromedriver");
            eprintln!("skipped: there is no chromedriver");
            return None;
        }
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new("sh");
        command.args(["-c", WATCH, &port.to_string()]).process_group(0);
        let watch =
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut browser = Self { watch, port, session: String::new() };
        let mut arguments = vec![
            "--headless=new".to_string(),
            "--no-sandbox".into(),
            "--disable-gpu".into(),
            "--disable-dev-shm-usage".into(),
        ];
        arguments.push(format!("--window-size={width},{height}"));
        if dark {
            arguments.push("--blink-settings=preferredColorScheme=0".into());
        }
        let wanted = json!({"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"}}}});
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                break;
            }
            thread::sleep(Duration::from_millis(100));
        }
        let session = browser.request("POST", "/session", &wanted);
        browser.session =
            format!("/session/{}", session["sessionId"].as_str().unwrap_or_else(|| panic!("{session}")));
        Some(browser)
    }

    /// Returns the group of all its processes.
    pub fn group(&self) -> rustix::process::Pid {
        rustix::process::Pid::from_raw(self.watch.id().try_into().unwrap()).unwrap()
    }

    fn request(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut stream = BufReader::new(stream);
        let (mut line, mut length) = (String::new(), 0);
        while stream.read_line(&mut line).unwrap() > 2 {
            if let Some(said) = line.to_lowercase().strip_prefix("content-length:") {
                length = said.trim().parse().unwrap();
            }
            line.clear();
        }
        let mut said = vec![0; length];
        stream.read_exact(&mut said).unwrap();
        let mut value: Value = serde_json::from_slice(&said).unwrap();
        value["value"].take()
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let value = self.request(method, &format!("{}{path}", self.session), body);
        assert!(value["error"].is_null(), "{path}: {value}");
        value
    }

    pub fn open(&self, url: &str) {
        self.ask("POST", "/url", &json!({ "url": url }));
    }

    /// Returns the value of a script.
    pub fn eval(&self, script: &str) -> Value {
        self.ask("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Waits until a script returns true.
    pub fn until(&self, script: &str) {
        for _ in 0..3000 {
            if self.eval(&format!("return Boolean({script})")) == true {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("never true: {script}\n{}", self.eval("return document.body.innerText"));
    }

    pub fn click(&self, selector: &str) {
        let element = self.ask("POST", "/element", &json!({"using": "css selector", "value": selector}));
        let element = element[ELEMENT].as_str().unwrap();
        self.ask("POST", &format!("/element/{element}/click"), &json!({}));
    }

    /// Clicks twice in quick succession at the middle of an element. The second click goes to
    /// whichever element the first one has put there.
    pub fn double_click(&self, selector: &str) {
        let area = self.eval(&format!(
            "const area = document.querySelector({}).getBoundingClientRect(); \
             return [Math.round(area.x + area.width / 2), Math.round(area.y + area.height / 2)]",
            json!(selector)
        ));
        let press = [json!({"type": "pointerDown", "button": 0}), json!({"type": "pointerUp", "button": 0})];
        let mut actions = vec![json!({"type": "pointerMove", "x": area[0], "y": area[1], "duration": 0})];
        actions.extend(press.clone());
        // The answer to the first click arrives in the meantime.
        actions.push(json!({"type": "pause", "duration": 200}));
        actions.extend(press);
        let mouse = json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions});
        self.ask("POST", "/actions", &json!({"actions": [mouse]}));
    }

    /// Presses keys one after the other in the focused element.
    pub fn keys(&self, keys: &[&str]) {
        let presses: Vec<Value> = keys
            .iter()
            .flat_map(|key| {
                [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})]
            })
            .collect();
        self.ask(
            "POST",
            "/actions",
            &json!({"actions": [{"type": "key", "id": "keys", "actions": presses}]}),
        );
    }

    /// Returns the errors and warnings that the page has logged.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.ask("POST", "/se/log", &json!({"type": "browser"}));
        let lines = log.as_array().cloned().unwrap_or_default();
        lines
            .iter()
            .filter(|line| line["level"] == "SEVERE")
            .map(|line| line["message"].to_string())
            .collect()
    }

    /// Saves a screenshot of the page in the folder named by `NERODE_SCREENS`, if it is set.
    pub fn screenshot(&self, name: &str) {
        let Some(folder) = std::env::var_os("NERODE_SCREENS") else { return };
        let picture = self.ask("GET", "/screenshot", &Value::Null);
        let path = std::path::Path::new(&folder).join(format!("{name}.png.base64"));
        std::fs::write(path, picture.as_str().unwrap()).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // An orderly end also removes the browser's files.
        if !self.session.is_empty() && !thread::panicking() {
            self.ask("DELETE", "", &Value::Null);
        }
        drop(self.watch.stdin.take());
        let _ = self.watch.wait();
    }
}
