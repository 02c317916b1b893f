//! Requests of programs, and their answers.

use std::io::{Read, Write};

use serde_json::Value;

use crate::service::{Service, solved};

const GAMES: [&str; 5] = ["tictactoe:3x3", "breakthrough:3x4", "nim:2x3", "connect:3x3,row=3", "othello:3x3"];

#[test]
fn every_solution_is_listed_and_described() {
    let paths = GAMES[..3].iter().map(|spec| solved(spec)).collect::<Vec<_>>();
    let service = Service::of(&paths.iter().map(|path| path.as_path()).collect::<Vec<_>>());
    assert_eq!(service.get("/healthz").body, b"ok\n");
    let list = service.document("/api/v1/solutions");
    for (line, spec) in list["solutions"].as_array().unwrap().iter().zip(GAMES) {
        assert_eq!((line["game"].as_str(), line["complete"].as_bool()), (Some(spec), Some(true)));
        let about = service.document(&format!("/api/v1/{}/about", line["id"].as_str().unwrap()));
        assert_eq!(about["game"], spec);
        assert!(about["rules"].as_str().unwrap().len() > 50 && about["has_sets"] == true);
    }
}

/// The answers of the service are those of the library, for every move.
#[test]
fn answers_are_those_of_the_library() {
    let path = solved("breakthrough:3x4");
    let (service, solution) = (Service::of(&[&path]), nerode::open_solution(&path).unwrap());
    let game = solution.game();
    let sample = service.document("/api/v1/breakthrough-3x4/sample?count=40&seed=7");
    let positions = sample["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 40);
    for known in positions {
        let text = known["position"].as_str().unwrap();
        let answer = solution.query(&game.parse_position(text).unwrap()).unwrap();
        let path =
            format!("/api/v1/breakthrough-3x4?picture=true&any=true&position={}", text.replace(' ', "%20"));
        let said = service.document(&path);
        assert_eq!(said["dtw"].as_u64(), answer.depth().map(u64::from), "{text}");
        assert_eq!(said["category"], known["category"]);
        let moves = said["moves"].as_array().unwrap();
        assert_eq!(moves.len(), answer.moves().len());
        for (line, reply) in moves.iter().zip(answer.moves()) {
            assert_eq!(line["move"], reply.text());
            assert_eq!(line["position"], game.format_position(reply.position()));
            assert_eq!(line["dtw"].as_u64(), reply.depth().map(|depth| u64::from(depth) - 1));
            assert!(line["places"]["to"].is_u64());
        }
        assert_eq!(said["game_over"].as_bool().unwrap(), moves.is_empty());
    }
}

#[test]
fn the_start_is_meant_where_nothing_is_said() {
    let path = solved("tictactoe:3x3");
    let service = Service::of(&[&path]);
    let start = service.document("/api/v1/tictactoe-3x3");
    assert_eq!(start, service.document("/api/v1/tictactoe-3x3?position=start"));
    assert_eq!(start["category"], "draw");
    assert_eq!(start["legal"], true);
    let odd = service.document("/api/v1/tictactoe-3x3?position=XXX/XXX/XXX_O&any=true");
    assert_eq!(odd["legal"], false);
    assert!(odd["why_illegal"].as_str().unwrap().contains("9 marks"));
    assert_eq!(odd["winner"], "P1");
}

/// Every request that evaluates a position refuses one that cannot occur, and answers it on demand.
#[test]
fn impossible_positions_are_refused_with_the_reason() {
    let path = solved("connect:4x4");
    let service = Service::of(&[&path]);
    let (at, impossible) = ("/api/v1/connect-4x4", "position=XXXX/4/4/4_O");
    for request in ["?", "/line?", "/choose?player=perfect&"] {
        let problem = service.problem(&format!("{at}{request}{impossible}"), 400);
        assert_eq!(problem["title"], "illegal position");
        assert!(problem["detail"].as_str().unwrap().contains("floats above an empty cell"), "{problem}");
        assert!(problem["accepted"].as_str().unwrap().contains("any=true"), "{problem}");
        service.document(&format!("{at}{request}{impossible}&any=true"));
    }
    let body = "start\nXXXX/4/4/4 O\n";
    for (options, category) in [("", None), ("?any=true", Some("draw"))] {
        let text = service.ask("POST", &format!("{at}{options}"), "", body).body;
        let text = String::from_utf8(text).unwrap();
        let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!((last["line"].as_u64(), last["category"].as_str()), (Some(2), category));
        assert_eq!(last["error"]["title"] == "illegal position", category.is_none(), "{last}");
    }
    // A drawing has no values.
    let board =
        |more: &str| String::from_utf8(service.get(&format!("{at}/board?{impossible}{more}")).body).unwrap();
    assert!(board("").contains("cannot occur in play") && !board("").contains("draw"));
    assert!(board("&any=true").contains("draw"));
    // Editing needs no value, so it begins anywhere.
    assert!(service.document(&format!("{at}/setup?{impossible}"))["why_illegal"].is_string());
}

#[test]
fn samples_are_restricted_by_value_and_say_what_they_are() {
    for (method, covers) in [("retrograde", "all-boards"), ("meet", "reached-positions")] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let game = nerode::open("tictactoe:3x3").unwrap();
        let method_of = if method == "meet" { nerode::Method::Meet } else { nerode::Method::Retrograde };
        game.solve(nerode::Options::default().directory(&path).method(method_of)).unwrap();
        let service = Service::of(&[&path]);
        let about = service.document("/api/v1/run/about");
        assert_eq!((&about["covers"], &about["method"]), (&covers.into(), &method.into()));
        assert!(about["coverage_text"].as_str().unwrap().contains(method), "{about}");
        for category in ["win", "draw", "loss"] {
            let sample =
                service.document(&format!("/api/v1/run/sample?count=30&legal=true&category={category}"));
            assert_eq!((&sample["covers"], &sample["legal"]), (&covers.into(), &true.into()));
            let positions = sample["positions"].as_array().unwrap();
            assert_eq!(positions.len(), 30, "{method} {category}");
            for known in positions {
                assert_eq!(known["category"], category, "{known}");
                let text = known["position"].as_str().unwrap().replace(' ', "_");
                let answer = service.document(&format!("/api/v1/run?position={text}"));
                assert_eq!(answer["game_over"], false, "{known}");
            }
        }
        service.problem("/api/v1/run/sample?category=victory", 400);
    }
}

#[test]
fn lines_statistics_boards_and_sets_are_there_for_every_family() {
    let paths: Vec<_> = GAMES.iter().map(|spec| solved(spec)).collect();
    let service = Service::of(&paths.iter().map(|path| path.as_path()).collect::<Vec<_>>());
    let list = service.document("/api/v1/solutions");
    for line in list["solutions"].as_array().unwrap() {
        let at = format!("/api/v1/{}", line["id"].as_str().unwrap());
        let play = service.document(&format!("{at}/line"));
        assert_eq!(play["end"], "over", "{at}");
        let stats = service.document(&format!("{at}/stats"));
        let sets = stats["sets"].as_array().unwrap();
        assert!(!sets.is_empty(), "{at}");
        let set = sets.iter().max_by_key(|set| set["num_states"].as_u64()).unwrap();
        let automaton =
            service.document(&format!("{at}/sets/{}?position=start", set["set"].as_str().unwrap()));
        let widths =
            automaton["layers"].as_array().unwrap().iter().map(|layer| layer["width"].as_u64().unwrap());
        assert_eq!(widths.sum::<u64>(), set["num_states"].as_u64().unwrap(), "{at}");
        assert!(!automaton["run"]["through"].as_array().unwrap().is_empty());
        let board = service.get(&format!("{at}/board"));
        assert!(board.status == 200 && board.body.starts_with(b"<svg"), "{at}");
        assert_eq!(board.header("content-type"), Some("image/svg+xml"));
        for player in ["perfect", "trapping", "fallible"] {
            let choice = service.document(&format!("{at}/choose?player={player}&seed=3"));
            assert!(choice["move"].is_string(), "{at} {player}");
        }
    }
}

#[test]
fn a_changed_place_is_a_position_that_is_read_back() {
    let path = solved("breakthrough:3x4");
    let service = Service::of(&[&path]);
    let setup = service.document("/api/v1/breakthrough-3x4/setup");
    assert!(setup["other_side"].as_str().unwrap().ends_with(" b"));
    let changes = setup["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 24);
    for change in changes {
        let position = change["position"].as_str().unwrap().replace(' ', "_");
        service.document(&format!("/api/v1/breakthrough-3x4?any=true&position={position}"));
        assert_eq!(change["places"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn a_batch_has_a_line_for_each_line() {
    let path = solved("tictactoe:3x3");
    let service = Service::of(&[&path]);
    let body = "start\n\"X8 O\"\n{\"position\": \"X1/2 O\"}\n\n{\"board\": 1}\nXX1/OO1/3_X\n";
    let response = service.ask("POST", "/api/v1/tictactoe-3x3?moves=true", "", body);
    assert_eq!((response.status, response.header("content-type")), (200, Some("application/x-ndjson")));
    let text = String::from_utf8(response.body).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<_> = lines.iter().map(|line| line["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    assert_eq!(lines[0]["moves"].as_array().unwrap().len(), 9);
    for refused in &lines[1..5] {
        assert_eq!(refused["error"]["status"], 400, "{refused}");
    }
    assert_eq!((&lines[5]["category"], &lines[5]["dtw"]), (&"win".into(), &1.into()));
}

/// A batch with more lines than a block is answered in order.
#[test]
fn a_long_batch_comes_in_order() {
    let path = solved("tictactoe:3x3");
    let service = Service::of(&[&path]);
    let response = service.ask("POST", "/api/v1/tictactoe-3x3", "", &"start\n".repeat(5000));
    let text = String::from_utf8(response.body).unwrap();
    let mut numbers =
        text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["line"].clone());
    assert!((1..=5000).all(|n| numbers.next() == Some(n.into())));
    assert_eq!(numbers.next(), None);
}

#[test]
fn what_a_client_has_is_not_sent_again() {
    let path = solved("tictactoe:3x3");
    let service = Service::of(&[&path]);
    let first = service.get("/api/v1/tictactoe-3x3");
    let tag = first.header("etag").unwrap();
    let again = service.ask("GET", "/api/v1/tictactoe-3x3", &format!("If-None-Match: {tag}\r\n"), "");
    assert_eq!((again.status, again.body.len()), (304, 0));
    let other = service.ask("GET", "/api/v1/tictactoe-3x3", "If-None-Match: \"0\"\r\n", "");
    assert_eq!(other.status, 200);
    // The tag of one request says nothing about another request.
    for other in ["?position=X2/3/3_O", "/about", "/stats", "/board", "/setup", "/sets/W-P1-005"] {
        let at = format!("/api/v1/tictactoe-3x3{other}");
        let response = service.ask("GET", &at, &format!("If-None-Match: {tag}\r\n"), "");
        assert_eq!(response.status, 200, "{at}");
    }
}

#[test]
fn refusals_say_what_would_have_been_accepted() {
    let path = solved("tictactoe:3x3");
    let service = Service::of(&[&path]);
    let position = service.problem("/api/v1/tictactoe-3x3?position=nonsense", 400);
    assert!(
        position["accepted"].as_str().unwrap().len() > 10 && position["example"].is_string(),
        "{position}"
    );
    let id = service.problem("/api/v1/chess", 404);
    assert_eq!(id["accepted"], "tictactoe-3x3");
    for (query, detail, accepted) in [
        ("?colour=red", "the parameter colour is unknown", "position, any, moves, picture, search_plies"),
        ("?any=maybe", "the parameter any is neither true nor false", "true or false"),
        (
            "?search_plies=x",
            "the parameter search_plies is not a number in its range",
            "a whole number from 0 up",
        ),
        (
            "/choose?player=perfect&seed=a",
            "the parameter seed is not a number in its range",
            "a whole number from 0 up",
        ),
        ("/positions?side=P3&category=win", "the parameter side has an unknown value", "P1 or P2"),
        ("/sample?count=1e3", "the parameter count is not a number in its range", "a whole number from 0 up"),
        ("/sample?seed=-1", "the parameter seed is not a number in its range", "a whole number from 0 up"),
        ("/sample?category=won", "the parameter category has an unknown value", "win, draw, loss, unknown"),
    ] {
        let problem = service.problem(&format!("/api/v1/tictactoe-3x3{query}"), 400);
        assert_eq!((&problem["detail"], &problem["accepted"]), (&detail.into(), &accepted.into()), "{query}");
    }
    // No message speaks of the types and functions of the program.
    for (path, detail) in [
        ("/api/v1/tictactoe-3x3/choose", "the parameter player is missing"),
        ("/api/v1/tictactoe-3x3?any=true&any=true", "the parameter any is given twice"),
        ("/api/v1/%FF/about", "the path of the request is not UTF-8"),
    ] {
        assert_eq!(service.problem(path, 400)["detail"], detail, "{path}");
    }
    service.problem("/api/v1/tictactoe-3x3/choose?player=best", 400);
    service.problem("/api/v1/tictactoe-3x3/choose?player=ranked", 400);
    service.problem("/api/v1/tictactoe-3x3/choose?player=perfect&moves=a1%20a1", 400);
    let long = "a1+".repeat(1001);
    service.problem(&format!("/api/v1/tictactoe-3x3/choose?player=perfect&moves={long}"), 400);
    service.problem("/api/v1/tictactoe-3x3/sample?count=1001", 400);
    service.problem("/api/v1/tictactoe-3x3/sets/W-P1-999", 404);
    service.problem("/nothing/here", 404);
    assert_eq!(service.ask("DELETE", "/api/v1/tictactoe-3x3", "", "").status, 405);
}

/// Every path in the document is answered, and every answer that it describes has a schema.
#[test]
fn the_openapi_document_describes_all_requests() {
    let path = solved("tictactoe:3x3");
    let service = Service::of(&[&path]);
    let document = service.document("/api/v1/openapi.json");
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 13, "{:?}", paths.keys().collect::<Vec<_>>());
    for path in paths.keys().filter(|path| *path != "/api/v1/offers/{id}") {
        let path = path.replace("{id}", "tictactoe-3x3").replace("{set}", "W-P1-005");
        let asked = match path.rsplit('/').next() {
            Some("choose") => format!("{path}?player=perfect"),
            Some("positions") => format!("{path}?side=P1&category=win"),
            _ => path,
        };
        assert_eq!(service.get(&asked).status, 200, "{asked}");
    }
    let operations = paths.values().flat_map(|path| path.as_object().unwrap().values());
    let mut names: Vec<_> = operations.map(|one| one["operationId"].as_str().unwrap()).collect();
    let number = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!((number, names.len()), (16, 16), "{names:?}");
    // Schemas are named after types, and of two types with the same name only one would be described.
    let schemas = &document["components"]["schemas"];
    assert!(schemas["SolutionLine"]["properties"]["form"].is_object());
    assert!(schemas["Line"].to_string().contains("Best play"), "{}", schemas["Line"]);
    let all = document.to_string();
    for name in all.split("#/components/schemas/").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(document["components"]["schemas"][name].is_object(), "{name} is referenced but missing");
    }
}

/// A proxy that does not remove its prefix passes requests on below it, and the page finds everything there.
#[test]
fn everything_is_served_below_the_base_path() {
    let service = Service::with(&["--base-path", "/boards/nerode/"], &[&solved("tictactoe:3x3")]);
    assert_eq!(service.document("/boards/nerode/api/v1/tictactoe-3x3")["category"], "draw");
    assert_eq!(service.get("/boards/nerode/").header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(service.get("/boards/nerode/main.js").status, 200);
    let moved = service.get("/boards/nerode");
    assert_eq!((moved.status, moved.header("location")), (308, Some("/boards/nerode/")));
    for elsewhere in ["/", "/api/v1/tictactoe-3x3", "/boards/nerodes/"] {
        service.problem(elsewhere, 404);
    }
    let refused = std::process::Command::new(env!("CARGO_BIN_EXE_nerode"))
        .args(["serve", "--base-path", "nerode"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("such as /nerode"));
}

/// With `--json`, the log consists of documents like all messages.
#[test]
fn the_log_is_one_document_per_line() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_nerode"))
        .args(["serve", "--port", "0", "--json", "--verbose"])
        .arg(solved("tictactoe:3x3"))
        .stdout(std::process::Stdio::piped())
        .stderr(log.reopen().unwrap())
        .spawn()
        .unwrap();
    let said = serde_json::Deserializer::from_reader(child.stdout.take().unwrap());
    let started = said.into_iter::<Value>().next().unwrap().unwrap();
    let address = started["url"].as_str().unwrap().trim_start_matches("http://").trim_end_matches('/');
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let request = format!("GET /api/v1/none HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    stream.read_to_end(&mut Vec::new()).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let lines = std::fs::read_to_string(log.path()).unwrap();
    let messages: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(messages.iter().all(|line| line["command"] == "serve"), "{lines}");
    let is_request =
        |line: &Value| line["note"]["message"].as_str().is_some_and(|text| text.contains("/api/v1/none"));
    assert!(messages.iter().any(is_request), "{lines}");
}

/// An address that stands for all addresses of the machine cannot be opened, so another one is printed.
#[test]
fn the_printed_address_can_be_opened() {
    let service = Service::with(&["--bind", "0.0.0.0"], &[&solved("tictactoe:3x3")]);
    assert!(service.address.starts_with("127.0.0.1:"), "{}", service.address);
    assert_eq!(service.get("/healthz").status, 200);
}

/// Wherever a position is expected, moves may follow it.
#[test]
fn moves_follow_a_position() {
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    let at = "/api/v1/tictactoe-3x3";
    for request in ["?", "/line?", "/setup?", "/sets/W-P1-005?"] {
        let moved = service.document(&format!("{at}{request}position=start&moves=b2%20a1"));
        assert_eq!(moved, service.document(&format!("{at}{request}position=3/1X1/O2_X")), "{request}");
        let problem = service.problem(&format!("{at}{request}moves=b2%20b2"), 400);
        assert!(problem["detail"].as_str().unwrap().contains("b2"), "{problem}");
    }
    let board = |rest: &str| service.get(&format!("{at}/board?{rest}")).body;
    assert_eq!(board("moves=b2%20a1"), board("position=3/1X1/O2_X"));
}
