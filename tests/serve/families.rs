//! Every kind of solution is served, and answers the same requests.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::kinds::{Kind, kinds};
use crate::service::{Service, solved};

fn service() -> Service {
    Service::of(&kinds().iter().map(|kind| kind.path.as_path()).collect::<Vec<&Path>>())
}

/// Encodes a position as a part of an address.
pub fn encoded(position: &Value) -> String {
    position.as_str().unwrap().replace(' ', "_").replace('+', "%2B")
}

#[test]
fn every_kind_answers_every_request() {
    let service = service();
    for Kind { name, covers_start, has_sets, has_sectors, .. } in kinds() {
        let at = format!("/api/v1/{name}");
        let about = service.document(&format!("{at}/about"));
        assert_eq!(about["covers_start"], *covers_start, "{name}");
        assert_eq!(about["has_sets"], *has_sets, "{name}");
        let begin = encoded(&about["begin"]);
        let answer = service.document(&format!("{at}?picture=true&position={begin}"));
        assert_ne!(answer["category"], "not covered", "{name}");
        assert!(!answer["moves"].as_array().unwrap().is_empty(), "{name}");
        assert!(answer["picture"]["places"].is_array(), "{name}: {answer}");
        assert!(answer["moves"][0]["places"]["to"].is_u64(), "{name}: {answer}");
        let start = service.document(&at);
        assert_eq!(start["category"] != "not covered", *covers_start, "{name}");
        let stats = service.document(&format!("{at}/stats"));
        assert_eq!(!stats["sets"].as_array().unwrap().is_empty(), *has_sets, "{name}");
        assert_eq!(!stats["sectors"].as_array().unwrap().is_empty(), *has_sectors, "{name}");
        let board = service.get(&format!("{at}/board?position={begin}"));
        assert!(board.status == 200 && board.body.starts_with(b"<svg"), "{name}");
        for player in about["players"].as_array().unwrap() {
            let player = player.as_str().unwrap();
            let choice = service.document(&format!("{at}/choose?player={player}&position={begin}&seed=3"));
            assert!(choice["move"].is_string(), "{name} {player}");
        }
        let setup = service.document(&format!("{at}/setup?position={begin}"));
        for change in setup["changes"].as_array().unwrap().iter().take(20) {
            service.document(&format!("{at}?any=true&position={}", encoded(&change["position"])));
        }
    }
}

#[test]
fn random_positions_of_every_kind_are_covered() {
    let service = service();
    for Kind { name, .. } in kinds() {
        let sample = service.document(&format!("/api/v1/{name}/sample?count=20&seed=5"));
        let positions = sample["positions"].as_array().unwrap();
        assert_eq!(positions.len(), 20, "{name}");
        assert!(positions.iter().all(|known| known["category"] != "not covered"), "{name}: {sample}");
        assert_eq!(sample, service.document(&format!("/api/v1/{name}/sample?count=20&seed=5")), "{name}");
        // For some kinds of solutions, few words are legal positions. One is found nevertheless.
        for seed in 0..20 {
            let asked = format!("/api/v1/{name}/sample?count=1&seed={seed}&legal=true");
            let legal = service.document(&asked);
            let [known] = &legal["positions"].as_array().unwrap()[..] else { panic!("{asked}: {legal}") };
            let asked = format!("/api/v1/{name}?position={}", encoded(&known["position"]));
            let answer = service.document(&asked);
            assert_eq!((&answer["legal"], &answer["game_over"]), (&true.into(), &false.into()), "{asked}");
        }
    }
}

/// At the start, all stones are in hand.
#[test]
fn a_stone_that_is_put_on_the_board_comes_from_the_hand() {
    let service = service();
    let setup = service.document("/api/v1/ranked/setup");
    let positions: Vec<&str> = setup["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["position"].as_str().unwrap())
        .collect();
    assert!(
        positions.contains(&"********/O b 2-3") && positions.contains(&"********/@ w 3-2"),
        "{positions:?}"
    );
}

/// A second stone of the same side is taken from the hand too, and a stone of the other side is supposed to have been
/// placed in between.
#[test]
fn a_second_stone_of_the_same_side_is_set_up() {
    let service = service();
    let put = |from: &str, white: usize, black: usize| {
        let setup = service.document(&format!("/api/v1/ranked/setup?position={}", encoded(&from.into())));
        let changes = setup["changes"].as_array().unwrap().clone();
        let mut positions = changes.into_iter().map(|one| one["position"].as_str().unwrap().to_string());
        let stones = |text: &String| {
            let board = text.split(' ').next().unwrap();
            (board.matches('O').count(), board.matches('@').count()) == (white, black)
        };
        positions.find(stones).unwrap_or_else(|| panic!("{from}: {setup}"))
    };
    let two = put(&put("start", 1, 0), 2, 0);
    assert!(two.ends_with("1-2"), "{two}");
    // After a black stone, the position is legal again.
    let three = put(&two, 2, 1);
    assert_eq!(
        service.document(&format!("/api/v1/ranked?position={}", encoded(&three.into())))["legal"],
        true
    );
}

/// A king is not put on the rook, and a man that moves leaves its place.
#[test]
fn men_of_an_endgame_are_set_up_one_to_a_square() {
    let service = service();
    let setup = service.document("/api/v1/endgame/setup");
    let changes = setup["changes"].as_array().unwrap();
    assert!(changes.iter().all(|change| !change["position"].as_str().unwrap().starts_with('=')), "{setup}");
    let moved = changes.iter().find(|change| change["places"] == serde_json::json!([0, 10])).unwrap();
    assert_eq!((&moved["figures"][0], &moved["figures"][1]["look"]), (&Value::Null, &"K".into()), "{moved}");
}

/// Sides of rules from a file have the names of its players.
#[test]
fn sides_have_the_names_that_the_rules_give_them() {
    let service = service();
    assert_eq!(service.document("/api/v1/hexagons/about")["sides"], serde_json::json!(["red", "blue"]));
    assert_eq!(service.document("/api/v1/run/about")["sides"], Value::Null);
}

#[test]
fn positions_of_a_sector_have_its_stones() {
    let service = service();
    let sample = service.document("/api/v1/sectors/sample?sector=3-3-0-0&count=9&legal=true");
    let positions = sample["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 9);
    for known in positions {
        let text = known["position"].as_str().unwrap();
        assert_eq!((text.matches('O').count(), text.matches('@').count()), (3, 3), "{text}");
    }
    service.problem("/api/v1/sectors/sample?sector=9-9-0-0", 404);
    service.problem("/api/v1/run/sample?sector=3-3-0-0", 404);
}

/// The counts of sectors are the same as in the program's own statistics.
#[test]
fn sectors_are_counted() {
    let service = service();
    let stats = service.document("/api/v1/ranked/stats");
    let sum = |key: &str| -> u64 {
        let rows = stats["sectors"].as_array().unwrap().iter();
        rows.map(|row| row[key].as_str().unwrap().parse::<u64>().unwrap()).sum()
    };
    assert_eq!(stats["sectors"].as_array().unwrap().len(), 7);
    // Tables count orbits, and say so.
    assert_eq!([sum("win") + sum("draw") + sum("loss"), sum("orbits")], [564; 2]);
    assert!(sum("positions") > 564, "{stats}");
    let longest = stats["longest"].as_array().unwrap();
    assert_eq!(longest.len(), 2, "{stats}");
    assert!(longest.iter().all(|one| one["orbits"].is_string() && one["positions"].is_null()), "{stats}");
    let packed = service.document("/api/v1/packed/stats");
    for (row, packed) in
        stats["sectors"].as_array().unwrap().iter().zip(packed["sectors"].as_array().unwrap())
    {
        assert_eq!((&row["sector"], &row["positions"]), (&packed["sector"], &packed["positions"]));
        assert_eq!(row["values"], packed["values"], "{row}");
        assert_eq!([&packed["win"], &packed["orbits"]], [&Value::Null; 2]);
    }
}

#[test]
fn players_are_those_that_the_solution_can_ask() {
    let service = service();
    let players = |name: &str| service.document(&format!("/api/v1/{name}/about"))["players"].clone();
    let words = |words: &[&str]| Value::from(words.to_vec());
    assert_eq!(players("ranked"), words(&["perfect", "ranked", "trapping", "fallible"]));
    assert_eq!(players("packed"), words(&["perfect", "trapping"]));
    assert_eq!(players("forward"), words(&["perfect", "trapping"]));
    assert_eq!(players("packed-depths"), words(&["perfect", "trapping", "fallible"]));
}

/// For wins without depths, a player moves to the position that has occurred least often, so that it does not repeat
/// positions for ever.
#[test]
fn a_win_without_depths_is_won_in_the_end() {
    let service = service();
    for seed in 0..6 {
        let (mut made, mut seen): (Vec<String>, Vec<String>) = Default::default();
        let winner = loop {
            let here = seen.last().map_or("start".to_string(), |at| encoded(&at.as_str().into()));
            let answer = service.document(&format!("/api/v1/packed?position={here}"));
            if answer["game_over"] == true {
                break answer["winner"].clone();
            }
            assert!(made.len() < 300, "the game does not end: {made:?}");
            let (kept, player) = match answer["side"] == "P1" {
                true => ("packed", ["perfect", "trapping"][seed % 2]),
                false => ("ranked", "perfect"),
            };
            let asked = format!("choose?player={player}&seed={seed}&moves={}", made.join("%20"));
            let text = service.document(&format!("/api/v1/{kept}/{asked}"))["move"].clone();
            let moves = answer["moves"].as_array().unwrap();
            let times = |line: &Value| seen.iter().filter(|at| line["position"] == at.as_str()).count();
            let chosen = moves.iter().find(|line| line["move"] == text).unwrap();
            if answer["category"] == "win" {
                let wins = moves.iter().filter(|line| line["category"] == "loss");
                assert_eq!(
                    (&chosen["category"], Some(times(chosen))),
                    (&"loss".into(), wins.map(times).min())
                );
            }
            made.push(text.as_str().unwrap().to_string());
            seen.push(chosen["position"].as_str().unwrap().to_string());
        };
        assert_eq!(winner, "P1", "{made:?}");
    }
}

/// Missing sectors leave the value open, and a search bounds it.
#[test]
fn a_search_shows_what_the_solution_leaves_open() {
    let service = service();
    let open = "/api/v1/unfinished";
    let plain = service.document(open);
    assert_eq!((&plain["category"], &plain["search"]), (&"unknown".into(), &Value::Null));
    let found = service.document(&format!("{open}?search_plies=20"));
    assert_eq!(found["category"], service.document("/api/v1/run")["category"], "{found}");
    assert_eq!(found["search"]["complete"], true);
    let moves = found["moves"].as_array().unwrap();
    assert!(moves.iter().all(|line| line["category"] != "unknown" || line["lower"].is_string()), "{found}");
    let known = service.document("/api/v1/run?search_plies=3");
    assert_eq!(known["search"], Value::Null);
    service.problem(&format!("{open}?search_plies=21"), 400);
}

/// Follows the run of a position through an automaton by its table of transitions, and returns the last target.
fn followed(automaton: &Value) -> i64 {
    let letters = automaton["run"]["letters"].as_array().unwrap();
    let mut target = automaton["root"].as_i64().unwrap();
    for (layer, letter) in automaton["layers"].as_array().unwrap().iter().zip(letters) {
        let Ok(state) = usize::try_from(target) else { break };
        target = layer["states"][state][usize::try_from(letter.as_u64().unwrap()).unwrap()].as_i64().unwrap();
    }
    assert_eq!(automaton["run"]["through"].as_array().unwrap().last().unwrap(), target, "{automaton}");
    target
}

/// The automata of values end at the value that a query returns, and a sector has one set that contains the position.
#[test]
fn automata_say_what_queries_say() {
    let service = service();
    for name in ["run", "values", "sector-sets", "packed-run"] {
        let sets = service.document(&format!("/api/v1/{name}/stats"))["sets"].as_array().unwrap().clone();
        let sample = service.document(&format!("/api/v1/{name}/sample?count=12&seed=2"));
        // The values of terminal positions follow from the rules, so that packed values do not contain them.
        let is_over = |known: &Value| name == "packed-run" && known["dtw"] == 0;
        for known in sample["positions"].as_array().unwrap().iter().filter(|known| !is_over(known)) {
            let at = encoded(&known["position"]);
            let mut answers = Vec::new();
            for set in sets.iter().filter(|set| !set["sector"].is_null() || set["side"] == known["side"]) {
                let automaton = service
                    .document(&format!("/api/v1/{name}/sets/{}?position={at}", set["set"].as_str().unwrap()));
                assert_eq!(automaton["num_states"], set["num_states"], "{name}");
                let end = followed(&automaton);
                let plies = &set["ply"];
                match set["kind"].as_str().unwrap() {
                    "V" => {
                        let end = &automaton["ends"][usize::try_from(-3 - end).unwrap()];
                        answers.push((end["category"].clone(), end["dtw"].clone()));
                    }
                    "W" if end == -2 => answers.push(("win".into(), plies.clone())),
                    "L" if end == -2 => answers.push(("loss".into(), plies.clone())),
                    _ => {}
                }
            }
            let wanted = (known["category"].clone(), known["dtw"].clone());
            match name {
                // Sets of a run are cumulative.
                "run" => assert_eq!(answers.first(), Some(&wanted), "{known}"),
                // Values of other plies mean nothing.
                "packed-run" => assert!(answers.iter().any(|one| one.0 == wanted.0), "{known}: {answers:?}"),
                _ if wanted.0 == "draw" && name == "sector-sets" => assert!(answers.is_empty(), "{known}"),
                _ => assert_eq!(answers, [wanted], "{known}"),
            }
        }
    }
}

/// Pages together contain every position of a depth once, as many as the statistics count.
#[test]
fn positions_of_a_depth_are_listed_page_by_page() {
    let service = service();
    let longest = service.document("/api/v1/run/stats")["longest"][0].clone();
    let (side, category, dtw) =
        (longest["side"].as_str().unwrap(), longest["category"].as_str().unwrap(), &longest["dtw"]);
    for name in ["run", "values"] {
        let page = |from: usize| {
            let asked = format!("positions?side={side}&category={category}&dtw={dtw}&from={from}&count=4");
            service.document(&format!("/api/v1/{name}/{asked}"))
        };
        let total: usize = page(0)["total"].as_str().unwrap().parse().unwrap();
        assert_eq!(page(0)["total"], longest["positions"], "{name}");
        let all: Vec<Value> = (0..total)
            .step_by(4)
            .flat_map(|from| page(from)["positions"].as_array().unwrap().clone())
            .collect();
        assert_eq!(all.len(), total);
        for (n, known) in all.iter().enumerate() {
            assert_eq!((&known["category"], &known["dtw"]), (&category.into(), dtw), "{name}: {known}");
            assert!(!all[..n].contains(known), "{known}");
        }
        assert_eq!(page(total)["positions"], serde_json::json!([]));
    }
    // Sets that are stored as mirror images of others are listed for either side, as in a run that stores both.
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one");
    let solve = Command::new(env!("CARGO_BIN_EXE_nerode"))
        .args([
            "solve",
            "tictactoe:3x3",
            "--method",
            "retrograde",
            "--chains",
            "one",
            "--threads",
            "1",
            "-q",
            "--run-dir",
        ])
        .arg(&one)
        .output()
        .unwrap();
    assert!(solve.status.success(), "{}", String::from_utf8_lossy(&solve.stderr));
    let both = solved("tictactoe:3x3");
    let chains = Service::of(&[&one, &both]);
    for ask in
        ["P1&category=win&dtw=5", "P2&category=win&dtw=5", "P2&category=loss&dtw=0", "P2&category=draw"]
    {
        let of = |name: &str| {
            chains.document(&format!("/api/v1/{name}/positions?side={ask}&count=1000"))["positions"].clone()
        };
        assert_eq!(of("one"), of("tictactoe-3x3"), "{ask}");
        assert!(!of("one").as_array().unwrap().is_empty(), "{ask}");
    }
    // Reached positions in a table are listed as well.
    assert_eq!(service.document("/api/v1/reached/positions?side=P1&category=win&dtw=5")["total"], "72");
    for (name, rest, status) in [
        ("run", "side=P1&category=unknown", 400),
        ("run", "side=P1&category=win&count=0", 400),
        ("run", "side=P3&category=win", 400),
        ("forward", "side=P1&category=win&dtw=1", 404),
        ("scores", "side=P1&category=win", 404),
        ("sectors", "side=P1&category=win&dtw=3", 404),
    ] {
        service.problem(&format!("/api/v1/{name}/positions?{rest}"), status);
    }
}
