//! The command `nerode engine`: scripted clients over standard input and output.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::kinds::kinds;
use crate::service::solved;

/// Returns the answers of the engine to some lines.
fn said(dir: &Path, more: &[&str], lines: &str) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_nerode"))
        .arg("engine")
        .arg(dir)
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

#[test]
fn a_line_answers_each_line() {
    let asks = [
        json!({"schema_version": 1, "id": 7, "ask": {"what": "position", "position": "start"}}),
        json!({"schema_version": 1, "ask": {"what": "line", "moves": []}}),
        json!({"schema_version": 1, "ask": {"what": "choose", "player": "perfect", "seed": 1}}),
        json!({"schema_version": 1, "ask": {"what": "about"}}),
        json!({"schema_version": 1, "ask": {"what": "stats"}}),
        json!({"schema_version": 1, "ask": {"what": "sample", "count": 2, "legal": true, "category": "win"}}),
        json!({"schema_version": 2, "id": "x", "ask": {"what": "about"}}),
        json!({"schema_version": 1, "ask": {"what": "position", "colour": "red"}, "id": 8}),
        json!({"schema_version": 1, "ask": {"what": "position", "position": "nonsense"}}),
        json!({"schema_version": 1, "ask": {"what": "position", "position": "XXX/XXX/XXX O"}}),
        json!({"schema_version": 1, "ask": {"what": "line", "position": "XXX/XXX/XXX O"}}),
        json!({"schema_version": 1, "ask": {"what": "choose", "player": "perfect", "position": "XXX/XXX/XXX O"}}),
        json!(null),
    ];
    let lines: String = asks.iter().map(|ask| format!("{ask}\n")).collect();
    let answers: Vec<Value> = said(&solved("tictactoe:3x3"), &[], &lines)
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), asks.len());
    assert_eq!((&answers[0]["id"], &answers[0]["answer"]["category"]), (&json!(7), &json!("draw")));
    assert_eq!(answers[0]["answer"]["moves"].as_array().unwrap().len(), 9);
    assert_eq!(answers[1]["answer"]["line"].as_array().unwrap().len(), 9);
    assert!(answers[2]["answer"]["move"].is_string());
    assert_eq!(answers[3]["answer"]["game"], "tictactoe:3x3");
    assert!(!answers[4]["answer"]["sets"].as_array().unwrap().is_empty());
    let sample = answers[5]["answer"]["positions"].as_array().unwrap();
    assert!(sample.len() == 2 && sample.iter().all(|known| known["category"] == "win"), "{sample:?}");
    assert_eq!((&answers[6]["id"], &answers[7]["id"]), (&json!("x"), &json!(8)));
    for refused in &answers[6..] {
        assert_eq!(refused["error"]["status"], 400, "{refused}");
    }
    for refused in &answers[9..12] {
        assert!(refused["error"]["detail"].as_str().unwrap().contains("9 marks"), "{refused}");
    }
    let moved = json!({"schema_version": 1, "ask": {"what": "position", "moves": ["b2", "a1"]}});
    let moved: Value =
        serde_json::from_str(&said(&solved("tictactoe:3x3"), &[], &format!("{moved}\n"))[0]).unwrap();
    assert_eq!(moved["answer"]["position"], "3/1X1/O2 X");
    let any =
        json!({"schema_version": 1, "ask": {"what": "position", "position": "XXX/XXX/XXX O", "any": true}});
    let answer: Value =
        serde_json::from_str(&said(&solved("tictactoe:3x3"), &[], &format!("{any}\n"))[0]).unwrap();
    assert_eq!((&answer["answer"]["legal"], &answer["answer"]["winner"]), (&json!(false), &json!("P1")));
}

/// A line that is too long is refused like any other line, and the conversation goes on.
#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_one_answered() {
    let ask = json!({"schema_version": 1, "id": 1, "ask": {"what": "position"}}).to_string();
    let longest = format!("{ask}{}", " ".repeat((1 << 16) - ask.len()));
    let lines = format!("{}\n{longest}\n{ask}\n", "x".repeat(200_000));
    let answers: Vec<Value> = said(&solved("tictactoe:3x3"), &[], &lines)
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 3, "{answers:?}");
    assert!(answers[0]["error"]["detail"].as_str().unwrap().contains("65 536 bytes"), "{}", answers[0]);
    assert!(answers[1..].iter().all(|answer| answer["answer"]["category"] == "draw"));
}

/// The client sends the whole game with every request, and captures stones in separate moves.
#[test]
fn the_dialect_of_morris_programs_plays_a_game_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("three");
    let solve = Command::new(env!("CARGO_BIN_EXE_nerode"))
        .args(["solve", "morris:three", "--threads", "1", "-q", "--run-dir"])
        .arg(&dir)
        .output()
        .unwrap();
    assert!(solve.status.success(), "{}", String::from_utf8_lossy(&solve.stderr));
    let solution = nerode::open_solution(&dir).unwrap();
    let start = solution.game().start_position();
    let line = solution.best_line(&start).unwrap();
    let mut moves: Vec<String> = Vec::new();
    let mut script = "uci\nisready\nucinewgame\n".to_string();
    for reply in &line {
        script += &format!("position startpos moves {}\ngo depth 3\n", moves.join(" "));
        moves.push(reply.text().to_string());
    }
    script += "position startpos moves nonsense\ngo\nunknown words\nquit\nisready\n";
    let lines = said(&dir, &["--protocol", "uci"], &script);
    assert!(lines[0].starts_with("id name nerode") && lines.contains(&"uciok".to_string()));
    assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 1, "there is output after quit");
    let best: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    let (last, made) = best.split_last().unwrap();
    assert_eq!(*last, "(none)");
    let wanted: Vec<&str> = line.iter().map(|reply| reply.text().split('x').next().unwrap()).collect();
    assert_eq!(made, wanted);
}

/// Every move has a score and a principal variation, which are those of the solution.
#[test]
fn the_dialect_of_morris_programs_reports_scores_and_lines() {
    let kind = kinds().iter().find(|kind| kind.name == "morris-run").unwrap();
    let solution = nerode::open_solution(&kind.path).unwrap();
    let start = solution.game().start_position();
    let answer = solution.query(&start).unwrap();
    let lines = said(&kind.path, &["--protocol", "uci"], "uci\nsetoption name MultiPV value 100\ngo\n");
    assert!(lines.iter().any(|line| line.starts_with("option name MultiPV")), "{lines:?}");
    let infos: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth")).collect();
    assert_eq!(infos.len(), answer.moves().len());
    for (n, (info, reply)) in infos.iter().zip(answer.moves()).enumerate() {
        let score = match (reply.value().unwrap(), reply.depth()) {
            (nerode::Value::Win, Some(plies)) => format!("mate {}", plies.div_ceil(2)),
            (nerode::Value::Loss, Some(plies)) => format!("mate -{}", plies / 2),
            _ => "cp 0".into(),
        };
        assert!(info.contains(&format!("multipv {} score {score} pv {}", n + 1, reply.text())), "{info}");
        let moves =
            info.split(" pv ").nth(1).unwrap().split(' ').filter(|word| !word.starts_with('x')).count();
        assert!(reply.depth().is_none_or(|plies| plies as usize == moves), "{info}");
    }
    let one = said(&kind.path, &["--protocol", "uci"], "go\n");
    assert_eq!(one.len(), 2, "{one:?}");
}

/// A position that cannot occur is refused in the dialect of morris programs too, with the reason.
#[test]
fn the_dialect_of_morris_programs_refuses_impossible_positions() {
    let kind = kinds().iter().find(|kind| kind.name == "morris-run").unwrap();
    let solution = nerode::open_solution(&kind.path).unwrap();
    let game = solution.game();
    let positions = solution.sample(2000, 5).unwrap();
    let (impossible, why) = positions
        .iter()
        .filter(|at| game.parse_position(&game.format_position(at)).is_ok())
        .find_map(|at| game.why_illegal(&at.board, at.side).map(|why| (game.format_position(at), why)))
        .unwrap();
    let script = format!("position fen {impossible}\ngo\nposition startpos\ngo\nquit\n");
    let lines = said(&kind.path, &["--protocol", "uci"], &script);
    assert!(lines[0].starts_with("info string illegal position") && lines[0].contains(&why), "{lines:?}");
    assert_eq!((&lines[1], lines[2].as_str()), (&lines[0], "bestmove (none)"));
    assert!(lines[4].starts_with("bestmove ") && !lines[4].contains("none"), "{lines:?}");
    let lines = said(&kind.path, &["--protocol", "uci", "--any"], &script);
    assert!(lines.iter().all(|line| !line.contains("illegal")), "{lines:?}");
}

/// The capture is reported after the mill is closed, by the same side; the moves are those of the solution.
#[test]
fn the_dialect_of_morris_programs_takes_stones_in_moves_of_their_own() {
    let kind = kinds().iter().find(|kind| kind.name == "sectors").unwrap();
    let solution = nerode::open_solution(&kind.path).unwrap();
    let game = solution.game();
    let mut script = String::new();
    let mut wanted = Vec::new();
    for position in solution.sample(400, 3).unwrap() {
        let answer = solution.query(&position).unwrap();
        let Some(best) = answer.moves().first().filter(|best| best.text().contains('x')) else { continue };
        let (made, taken) = best.text().split_at(best.text().find('x').unwrap());
        let text = game.format_position(&position);
        script += &format!("position fen {text}\ngo\n");
        script += &format!("position fen {text} moves {made}\ngo movetime 100\n");
        script += &format!("position fen {text} moves {made} {taken}\ngo\n");
        // A side with two stones has lost, so the game is over.
        wanted.extend([made.to_string(), taken.to_string(), "(none)".to_string()]);
    }
    assert!(wanted.len() > 30, "{}", wanted.len());
    let lines = said(&kind.path, &["--protocol", "uci", "--any"], &script);
    let best: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert_eq!(best, wanted);
}
