//! Games that the service solves on request of the page.

use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::service::{Service, solved};

const JSON: &str = "Content-Type: application/json\r\n";

fn wish(service: &Service, game: &str) -> (u16, Value) {
    let response = service.ask("POST", "/api/v1/offers", JSON, &format!("{{\"game\": \"{game}\"}}"));
    (response.status, response.json())
}

/// Waits until the solve with that id is over, and returns it.
fn over(service: &Service, id: &str) -> Value {
    for _ in 0..1200 {
        let offers = service.document("/api/v1/offers");
        let solves = offers["solves"].as_array().unwrap();
        let solve = solves.iter().find(|solve| solve["id"] == id).unwrap();
        if solve["state"] != "solving" {
            return solve.clone();
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("{id} is never solved");
}

#[test]
fn a_small_game_is_solved_and_served() {
    let service = Service::of(&[]);
    let offers = service.document("/api/v1/offers");
    assert!(offers["offers"].as_array().unwrap().len() > 5);
    let (status, begun) = wish(&service, "tictactoe:3x3");
    assert_eq!((status, &begun["game"]), (202, &"tictactoe:3x3".into()), "{begun}");
    let id = begun["id"].as_str().unwrap();
    let solve = over(&service, id);
    assert_eq!(solve["state"], "solved", "{solve}");
    assert!(solve["ply"].as_u64().unwrap() > 3);
    let at = format!("/api/v1/{id}");
    while service.get(&at).status == 503 {
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(service.document(&at)["category"], "draw");
    // It already exists.
    assert_eq!(wish(&service, "tictactoe:3x3").1["id"], id);
    assert_eq!(wish(&service, "breakthrough:6x6").0, 404);
    for (fields, body, detail) in [
        (JSON, "nonsense", "the body is not JSON"),
        (JSON, "{\"gam\": 1}", "the body is not an object with the spec of a game"),
        ("", "{}", "the type of the body is not application/json"),
    ] {
        let refused = service.ask("POST", "/api/v1/offers", fields, body);
        assert_eq!((refused.status, &refused.json()["detail"]), (400, &detail.into()), "{body}");
    }
    let foreign = format!("{JSON}Origin: http://evil.example\r\n");
    assert_eq!(service.ask("POST", "/api/v1/offers", &foreign, "{}").status, 403);
}

/// A solve that takes long is cancelled, which frees the service for another one, and its clock runs during a ply.
#[test]
fn a_solve_is_cancelled_and_another_one_begun() {
    let service = Service::of(&[]);
    let (_, begun) = wish(&service, "breakthrough:4x5");
    let at = format!("/api/v1/offers/{}", begun["id"].as_str().unwrap());
    let seconds = || service.document(&at)["seconds"].as_f64().unwrap();
    let before = seconds();
    thread::sleep(Duration::from_millis(20));
    assert!(seconds() > before);
    assert_eq!(wish(&service, "nim:3x7").0, 409);
    assert_eq!(service.ask("DELETE", &at, "", "").status, 202);
    let state = |at: &str| service.document(at)["state"].clone();
    while state(&at) == "solving" {
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(state(&at), "cancelled");
    // Nothing of it is served.
    assert_eq!(service.document("/api/v1/solutions")["solutions"].as_array().unwrap().len(), 0);
    let (status, other) = wish(&service, "nim:3x7");
    assert_eq!(status, 202, "{other}");
    assert_eq!(over(&service, other["id"].as_str().unwrap())["state"], "solved");
    assert_eq!(service.ask("DELETE", "/api/v1/offers/unknown", "", "").status, 404);
}

/// Each offer has a board, so that the page can show it before it is solved.
#[test]
fn offers_are_drawn_and_small() {
    let service = Service::of(&[]);
    let offers = service.document("/api/v1/offers");
    for offer in offers["offers"].as_array().unwrap() {
        assert!(!offer["picture"]["places"].as_array().unwrap().is_empty(), "{offer}");
        assert_ne!(offer["game"], "amazons:4x4", "this game takes minutes and gigabytes");
    }
}

#[test]
fn a_service_of_solutions_solves_nothing_unless_it_is_told_to() {
    let path = solved("tictactoe:3x3");
    let service = Service::of(&[&path]);
    assert_eq!(service.document("/api/v1/offers")["offers"].as_array().unwrap().len(), 0);
    assert_eq!(wish(&service, "nim:3x7").0, 403);
    let refused = Command::new(env!("CARGO_BIN_EXE_nerode"))
        .args(["serve", "--allow-solve", "--bind", "0.0.0.0", "--port", "0"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("not a loopback address"));
}

#[cfg(unix)]
#[test]
fn a_solve_is_stopped_with_the_service() {
    let service = Service::of(&[]);
    assert_eq!(wish(&service, "breakthrough:4x5").0, 202);
    let id = rustix::process::Pid::from_raw(service.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    assert_eq!(service.wait().code(), Some(0));
}
