-- curlew.db of format 1, as the program of then (0f5f64d) left it: dumped by sqlite3, with its marks.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE runs (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    started_by TEXT NOT NULL,      -- JSON: the trigger
    status TEXT NOT NULL,
    waiting INTEGER NOT NULL DEFAULT 0,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    parent TEXT,                   -- id of the run whose subflow this is
    parent_path TEXT,
    last_seq INTEGER NOT NULL,
    owner_token TEXT,
    owner_pid INTEGER,
    owner_start TEXT,
    owner_boot TEXT
  ) STRICT;
INSERT INTO runs VALUES(1,'1m7yw16wezf610tywrzc','many','/tmp/store-old/flows/many.flow.yaml','{"kind":"cli"}','succeeded',0,'2026-11-21T10:57:00.819Z','2026-11-21T10:57:01.384Z',NULL,NULL,8,NULL,NULL,NULL,NULL);
INSERT INTO runs VALUES(2,'1m7yw18n4yx5qbxswtp0','loop','/tmp/store-old/flows/loop.flow.yaml','{"kind":"cli"}','succeeded',0,'2026-11-21T10:57:02.629Z','2026-11-21T10:57:02.787Z',NULL,NULL,20,NULL,NULL,NULL,NULL);
INSERT INTO runs VALUES(3,'1m7yw1a1c6hb26p2ewhw','fails','/tmp/store-old/flows/fails.flow.yaml','{"kind":"cli"}','failed',0,'2026-11-21T10:57:04.045Z','2026-11-21T10:57:04.177Z',NULL,NULL,9,NULL,NULL,NULL,NULL);
INSERT INTO runs VALUES(4,'1m7yw1b519kbr4dcmnxj','waits','/tmp/store-old/flows/waits.flow.yaml','{"kind":"cli"}','waiting',1,'2026-11-21T10:57:05.187Z',NULL,NULL,NULL,4,NULL,NULL,NULL,NULL);
INSERT INTO runs VALUES(5,'1m7yw1c6d9h1c2mwd2ar','sub','/tmp/store-old/flows/sub.flow.yaml','{"kind":"cli"}','succeeded',0,'2026-11-21T10:57:06.253Z','2026-11-21T10:57:06.641Z',NULL,NULL,4,NULL,NULL,NULL,NULL);
INSERT INTO runs VALUES(6,'1m7yw1c6wtnahredm8s7','many','/tmp/store-old/flows/many.flow.yaml','{"kind":"subflow"}','succeeded',0,'2026-11-21T10:57:06.288Z','2026-11-21T10:57:06.627Z','1m7yw1c6d9h1c2mwd2ar','call',8,NULL,NULL,NULL,NULL);
INSERT INTO runs VALUES(7,'1m7yw1dc6p0kvx6yq2dn','killed','/tmp/store-old/flows/killed.flow.yaml','{"kind":"cli"}','running',0,'2026-11-21T10:57:07.465Z',NULL,NULL,NULL,4,'f32546d4-0086-424d-9f72-48863e336892',25732,'2406073','f2f18929-24a7-41e7-9df4-41659709a0cc');
CREATE TABLE events (
    pos INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL,          -- runs.key
    seq INTEGER NOT NULL,
    body TEXT NOT NULL             -- JSON: the event without run and seq
  ) STRICT;
INSERT INTO events VALUES(1,1,1,'{"at":"2026-11-21T10:57:00.824Z","type":"run.started","workflow":{"name":"many","file":"/tmp/store-old/flows/many.flow.yaml","text":"curlew: 1\nname: many\ninputs: { who: { type: string, default: world } }\nnodes:\n  - { id: greet, type: cli, data: { title: Greet, content: ''printf \"hello %s\" ${who}'' } }\n  - { id: keep, type: variable, data: { title: Keep, variableName: greeting } }\n  - { id: ask, type: if, data: { title: Ask, content: ''vars.greeting = \"hello world\"'' } }\n  - { id: yes, type: text, data: { title: Yes, content: ''yes: ${greeting}'' } }\n  - { id: no, type: text, data: { title: No, content: ''no'' } }\nedges: [greet -> keep -> ask, ask:true -> yes, ask:false -> no]\n"},"inputs":{"who":"world"},"trigger":{"kind":"cli"}}');
INSERT INTO events VALUES(2,1,2,'{"at":"2026-11-21T10:57:00.850Z","type":"attempt.started","node":"greet","path":"greet","number":1,"detail":{"command":"printf \"hello %s\" ${who}","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"stdoutFile":"2.out","stderrFile":"2.err"}}');
INSERT INTO events VALUES(3,1,3,'{"at":"2026-11-21T10:57:00.969Z","type":"attempt.succeeded","node":"greet","path":"greet","number":1,"value":{"text":"hello world"},"end":{"durationMs":103,"exitCode":0,"stdout":{"bytes":11},"stderr":{"bytes":0}}}');
INSERT INTO events VALUES(4,1,4,'{"at":"2026-11-21T10:57:00.970Z","type":"node.succeeded","node":"keep","path":"keep","value":{"text":"hello world"}}');
INSERT INTO events VALUES(5,1,5,'{"at":"2026-11-21T10:57:01.384Z","type":"node.succeeded","node":"ask","path":"ask","value":{"text":"hello world"},"branch":true}');
INSERT INTO events VALUES(6,1,6,'{"at":"2026-11-21T10:57:01.384Z","type":"node.skipped","node":"no","path":"no","reason":"branch-not-taken"}');
INSERT INTO events VALUES(7,1,7,'{"at":"2026-11-21T10:57:01.384Z","type":"node.succeeded","node":"yes","path":"yes","value":{"text":"yes: hello world"}}');
INSERT INTO events VALUES(8,1,8,'{"at":"2026-11-21T10:57:01.384Z","type":"run.succeeded"}');
INSERT INTO events VALUES(9,2,1,'{"at":"2026-11-21T10:57:02.634Z","type":"run.started","workflow":{"name":"loop","file":"/tmp/store-old/flows/loop.flow.yaml","text":"curlew: 1\nname: loop\nnodes:\n  - { id: loop, type: loop-start, data: { title: Loop, iterations: 3 } }\n  - { id: say, type: cli, data: { title: Say, content: ''echo pass ${i}'' } }\n  - { id: all, type: accumulator, data: { title: All, variableName: all } }\n  - { id: end, type: loop-end, data: { title: End } }\n  - { id: after, type: text, data: { title: After, content: ''${all}'' } }\nedges: [loop -> say -> all -> end -> after]\n"},"inputs":{},"trigger":{"kind":"cli"}}');
INSERT INTO events VALUES(10,2,2,'{"at":"2026-11-21T10:57:02.638Z","type":"loop.started","node":"loop","path":"loop","first":1,"passes":3}');
INSERT INTO events VALUES(11,2,3,'{"at":"2026-11-21T10:57:02.638Z","type":"pass.started","node":"loop","path":"loop[0]","index":0,"counter":1}');
INSERT INTO events VALUES(12,2,4,'{"at":"2026-11-21T10:57:02.645Z","type":"attempt.started","node":"say","path":"say[0]","number":1,"detail":{"command":"echo pass ${i}","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"stdoutFile":"4.out","stderrFile":"4.err"}}');
INSERT INTO events VALUES(13,2,5,'{"at":"2026-11-21T10:57:02.724Z","type":"attempt.succeeded","node":"say","path":"say[0]","number":1,"value":{"text":"pass 1"},"end":{"durationMs":75,"exitCode":0,"stdout":{"bytes":7},"stderr":{"bytes":0}}}');
INSERT INTO events VALUES(14,2,6,'{"at":"2026-11-21T10:57:02.724Z","type":"node.succeeded","node":"all","path":"all[0]","added":[{"text":"pass 1"}]}');
INSERT INTO events VALUES(15,2,7,'{"at":"2026-11-21T10:57:02.725Z","type":"pass.succeeded","node":"loop","path":"loop[0]","index":0,"from":"all[0]","last":false}');
INSERT INTO events VALUES(16,2,8,'{"at":"2026-11-21T10:57:02.725Z","type":"pass.started","node":"loop","path":"loop[1]","index":1,"counter":2}');
INSERT INTO events VALUES(17,2,9,'{"at":"2026-11-21T10:57:02.730Z","type":"attempt.started","node":"say","path":"say[1]","number":1,"detail":{"command":"echo pass ${i}","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"stdoutFile":"9.out","stderrFile":"9.err"}}');
INSERT INTO events VALUES(18,2,10,'{"at":"2026-11-21T10:57:02.751Z","type":"attempt.succeeded","node":"say","path":"say[1]","number":1,"value":{"text":"pass 2"},"end":{"durationMs":13,"exitCode":0,"stdout":{"bytes":7},"stderr":{"bytes":0}}}');
INSERT INTO events VALUES(19,2,11,'{"at":"2026-11-21T10:57:02.751Z","type":"node.succeeded","node":"all","path":"all[1]","added":[{"text":"pass 2"}]}');
INSERT INTO events VALUES(20,2,12,'{"at":"2026-11-21T10:57:02.751Z","type":"pass.succeeded","node":"loop","path":"loop[1]","index":1,"from":"all[1]","last":false}');
INSERT INTO events VALUES(21,2,13,'{"at":"2026-11-21T10:57:02.751Z","type":"pass.started","node":"loop","path":"loop[2]","index":2,"counter":3}');
INSERT INTO events VALUES(22,2,14,'{"at":"2026-11-21T10:57:02.756Z","type":"attempt.started","node":"say","path":"say[2]","number":1,"detail":{"command":"echo pass ${i}","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"stdoutFile":"14.out","stderrFile":"14.err"}}');
INSERT INTO events VALUES(23,2,15,'{"at":"2026-11-21T10:57:02.776Z","type":"attempt.succeeded","node":"say","path":"say[2]","number":1,"value":{"text":"pass 3"},"end":{"durationMs":18,"exitCode":0,"stdout":{"bytes":7},"stderr":{"bytes":0}}}');
INSERT INTO events VALUES(24,2,16,'{"at":"2026-11-21T10:57:02.778Z","type":"node.succeeded","node":"all","path":"all[2]","added":[{"text":"pass 3"}]}');
INSERT INTO events VALUES(25,2,17,'{"at":"2026-11-21T10:57:02.778Z","type":"pass.succeeded","node":"loop","path":"loop[2]","index":2,"from":"all[2]","last":false}');
INSERT INTO events VALUES(26,2,18,'{"at":"2026-11-21T10:57:02.784Z","type":"node.succeeded","node":"end","path":"end","value":{"text":"pass 1\npass 2\npass 3"}}');
INSERT INTO events VALUES(27,2,19,'{"at":"2026-11-21T10:57:02.787Z","type":"node.succeeded","node":"after","path":"after","value":{"text":"pass 1\npass 2\npass 3"}}');
INSERT INTO events VALUES(28,2,20,'{"at":"2026-11-21T10:57:02.787Z","type":"run.succeeded"}');
INSERT INTO events VALUES(29,3,1,'{"at":"2026-11-21T10:57:04.056Z","type":"run.started","workflow":{"name":"fails","file":"/tmp/store-old/flows/fails.flow.yaml","text":"curlew: 1\nname: fails\nnodes:\n  - { id: ok, type: cli, data: { title: OK, content: ''head -c 40000 /dev/zero | tr \"\\0\" a'' } }\n  - { id: bad, type: cli, data: { title: Bad, content: ''echo oops >&2; exit 3'', retry: { maxAttempts: 2, initialInterval: 10ms } } }\n  - { id: never, type: cli, data: { title: Never, content: ''echo never'' } }\nedges: [ok -> bad -> never]\n"},"inputs":{},"trigger":{"kind":"cli"}}');
INSERT INTO events VALUES(30,3,2,'{"at":"2026-11-21T10:57:04.060Z","type":"attempt.started","node":"ok","path":"ok","number":1,"detail":{"command":"head -c 40000 /dev/zero | tr \"\\0\" a","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"stdoutFile":"2.out","stderrFile":"2.err"}}');
INSERT INTO events VALUES(31,3,3,'{"at":"2026-11-21T10:57:04.140Z","type":"attempt.succeeded","node":"ok","path":"ok","number":1,"value":{"file":"2.out","bytes":40000},"end":{"durationMs":76,"exitCode":0,"stdout":{"bytes":40000},"stderr":{"bytes":0}}}');
INSERT INTO events VALUES(32,3,4,'{"at":"2026-11-21T10:57:04.142Z","type":"attempt.started","node":"bad","path":"bad","number":1,"detail":{"command":"echo oops >&2; exit 3","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"stdoutFile":"4.out","stderrFile":"4.err"}}');
INSERT INTO events VALUES(33,3,5,'{"at":"2026-11-21T10:57:04.157Z","type":"attempt.failed","node":"bad","path":"bad","number":1,"failure":{"code":"exit-non-zero","message":"The command exited with code 3.","exitCode":3,"stderr":"oops\n"},"value":{"text":""},"end":{"durationMs":13,"exitCode":3,"stdout":{"bytes":0},"stderr":{"bytes":5}},"retryAt":"2026-11-21T10:57:04.163Z"}');
INSERT INTO events VALUES(34,3,6,'{"at":"2026-11-21T10:57:04.164Z","type":"attempt.started","node":"bad","path":"bad","number":2,"detail":{"command":"echo oops >&2; exit 3","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"stdoutFile":"6.out","stderrFile":"6.err"}}');
INSERT INTO events VALUES(35,3,7,'{"at":"2026-11-21T10:57:04.176Z","type":"attempt.failed","node":"bad","path":"bad","number":2,"failure":{"code":"exit-non-zero","message":"The command exited with code 3.","exitCode":3,"stderr":"oops\n"},"value":{"text":""},"end":{"durationMs":9,"exitCode":3,"stdout":{"bytes":0},"stderr":{"bytes":5}}}');
INSERT INTO events VALUES(36,3,8,'{"at":"2026-11-21T10:57:04.177Z","type":"node.skipped","node":"never","path":"never","reason":"run-ended"}');
INSERT INTO events VALUES(37,3,9,'{"at":"2026-11-21T10:57:04.177Z","type":"run.failed","node":"bad","path":"bad","failure":{"code":"exit-non-zero","message":"The command exited with code 3.","exitCode":3,"stderr":"oops\n"}}');
INSERT INTO events VALUES(38,4,1,'{"at":"2026-11-21T10:57:05.191Z","type":"run.started","workflow":{"name":"waits","file":"/tmp/store-old/flows/waits.flow.yaml","text":"curlew: 1\nname: waits\nnodes:\n  - { id: first, type: cli, data: { title: First, content: ''echo first'' } }\n  - { id: gate, type: cli, data: { title: Gate, content: ''echo after the gate'', needsUserApproval: true } }\nedges: [first -> gate]\n"},"inputs":{},"trigger":{"kind":"cli"}}');
INSERT INTO events VALUES(39,4,2,'{"at":"2026-11-21T10:57:05.196Z","type":"attempt.started","node":"first","path":"first","number":1,"detail":{"command":"echo first","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"stdoutFile":"2.out","stderrFile":"2.err"}}');
INSERT INTO events VALUES(40,4,3,'{"at":"2026-11-21T10:57:05.221Z","type":"attempt.succeeded","node":"first","path":"first","number":1,"value":{"text":"first"},"end":{"durationMs":21,"exitCode":0,"stdout":{"bytes":6},"stderr":{"bytes":0}}}');
INSERT INTO events VALUES(41,4,4,'{"at":"2026-11-21T10:57:05.226Z","type":"approval.requested","node":"gate","path":"gate","number":1,"hash":"7449087d914d84c68353a431a8adda120fa1ae1bace72397b0d3c77ccb687e30","reasons":[{"code":"needs-approval","message":"The workflow says that a person must approve it."}],"detail":{"command":"echo after the gate","rendered":"echo after the gate","values":[],"shell":"bash","cwd":"/tmp/store-old/flows","env":[]}}');
INSERT INTO events VALUES(42,5,1,'{"at":"2026-11-21T10:57:06.260Z","type":"run.started","workflow":{"name":"sub","file":"/tmp/store-old/flows/sub.flow.yaml","text":"curlew: 1\nname: sub\nnodes:\n  - { id: call, type: subflow, data: { title: Call, workflow: ./many.flow.yaml, inputs: { who: sub } } }\n"},"subflows":{"/tmp/store-old/flows/many.flow.yaml":"curlew: 1\nname: many\ninputs: { who: { type: string, default: world } }\nnodes:\n  - { id: greet, type: cli, data: { title: Greet, content: ''printf \"hello %s\" ${who}'' } }\n  - { id: keep, type: variable, data: { title: Keep, variableName: greeting } }\n  - { id: ask, type: if, data: { title: Ask, content: ''vars.greeting = \"hello world\"'' } }\n  - { id: yes, type: text, data: { title: Yes, content: ''yes: ${greeting}'' } }\n  - { id: no, type: text, data: { title: No, content: ''no'' } }\nedges: [greet -> keep -> ask, ask:true -> yes, ask:false -> no]\n"},"inputs":{},"trigger":{"kind":"cli"}}');
INSERT INTO events VALUES(43,5,2,'{"at":"2026-11-21T10:57:06.268Z","type":"attempt.started","node":"call","path":"call","number":1,"detail":{"command":"./many.flow.yaml","childRun":"1m7yw1c6wtnahredm8s7","stdoutFile":"2.out","stderrFile":"2.err"}}');
INSERT INTO events VALUES(44,6,1,'{"at":"2026-11-21T10:57:06.297Z","type":"run.started","workflow":{"name":"many","file":"/tmp/store-old/flows/many.flow.yaml","text":"curlew: 1\nname: many\ninputs: { who: { type: string, default: world } }\nnodes:\n  - { id: greet, type: cli, data: { title: Greet, content: ''printf \"hello %s\" ${who}'' } }\n  - { id: keep, type: variable, data: { title: Keep, variableName: greeting } }\n  - { id: ask, type: if, data: { title: Ask, content: ''vars.greeting = \"hello world\"'' } }\n  - { id: yes, type: text, data: { title: Yes, content: ''yes: ${greeting}'' } }\n  - { id: no, type: text, data: { title: No, content: ''no'' } }\nedges: [greet -> keep -> ask, ask:true -> yes, ask:false -> no]\n"},"subflows":{"/tmp/store-old/flows/many.flow.yaml":"curlew: 1\nname: many\ninputs: { who: { type: string, default: world } }\nnodes:\n  - { id: greet, type: cli, data: { title: Greet, content: ''printf \"hello %s\" ${who}'' } }\n  - { id: keep, type: variable, data: { title: Keep, variableName: greeting } }\n  - { id: ask, type: if, data: { title: Ask, content: ''vars.greeting = \"hello world\"'' } }\n  - { id: yes, type: text, data: { title: Yes, content: ''yes: ${greeting}'' } }\n  - { id: no, type: text, data: { title: No, content: ''no'' } }\nedges: [greet -> keep -> ask, ask:true -> yes, ask:false -> no]\n"},"inputs":{"who":"sub"},"trigger":{"kind":"subflow"},"parent":{"run":"1m7yw1c6d9h1c2mwd2ar","path":"call"}}');
INSERT INTO events VALUES(45,6,2,'{"at":"2026-11-21T10:57:06.315Z","type":"attempt.started","node":"greet","path":"greet","number":1,"detail":{"command":"printf \"hello %s\" ${who}","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"stdoutFile":"2.out","stderrFile":"2.err"}}');
INSERT INTO events VALUES(46,6,3,'{"at":"2026-11-21T10:57:06.342Z","type":"attempt.succeeded","node":"greet","path":"greet","number":1,"value":{"text":"hello sub"},"end":{"durationMs":22,"exitCode":0,"stdout":{"bytes":9},"stderr":{"bytes":0}}}');
INSERT INTO events VALUES(47,6,4,'{"at":"2026-11-21T10:57:06.443Z","type":"node.succeeded","node":"keep","path":"keep","value":{"text":"hello sub"}}');
INSERT INTO events VALUES(48,6,5,'{"at":"2026-11-21T10:57:06.622Z","type":"node.succeeded","node":"ask","path":"ask","value":{"text":"hello sub"},"branch":false}');
INSERT INTO events VALUES(49,6,6,'{"at":"2026-11-21T10:57:06.627Z","type":"node.skipped","node":"yes","path":"yes","reason":"branch-not-taken"}');
INSERT INTO events VALUES(50,6,7,'{"at":"2026-11-21T10:57:06.627Z","type":"node.succeeded","node":"no","path":"no","value":{"text":"no"}}');
INSERT INTO events VALUES(51,6,8,'{"at":"2026-11-21T10:57:06.627Z","type":"run.succeeded"}');
INSERT INTO events VALUES(52,5,3,'{"at":"2026-11-21T10:57:06.641Z","type":"attempt.succeeded","node":"call","path":"call","number":1,"value":{"text":"{\"no\":\"no\"}"},"end":{"durationMs":330}}');
INSERT INTO events VALUES(53,5,4,'{"at":"2026-11-21T10:57:06.641Z","type":"run.succeeded"}');
INSERT INTO events VALUES(54,7,1,'{"at":"2026-11-21T10:57:07.473Z","type":"run.started","workflow":{"name":"killed","file":"/tmp/store-old/flows/killed.flow.yaml","text":"curlew: 1\nname: killed\nnodes:\n  - { id: done, type: cli, data: { title: Done, content: ''echo done'' } }\n  - { id: long, type: cli, data: { title: Long, content: ''kill -9 $PPID; sleep 1'' } }\nedges: [done -> long]\n"},"inputs":{},"trigger":{"kind":"cli"}}');
INSERT INTO events VALUES(55,7,2,'{"at":"2026-11-21T10:57:07.481Z","type":"attempt.started","node":"done","path":"done","number":1,"detail":{"command":"echo done","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"stdoutFile":"2.out","stderrFile":"2.err"}}');
INSERT INTO events VALUES(56,7,3,'{"at":"2026-11-21T10:57:07.525Z","type":"attempt.succeeded","node":"done","path":"done","number":1,"value":{"text":"done"},"end":{"durationMs":39,"exitCode":0,"stdout":{"bytes":5},"stderr":{"bytes":0}}}');
INSERT INTO events VALUES(57,7,4,'{"at":"2026-11-21T10:57:07.533Z","type":"attempt.started","node":"long","path":"long","number":1,"detail":{"command":"kill -9 $PPID; sleep 1","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"stdoutFile":"4.out","stderrFile":"4.err"}}');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('events',57);
CREATE INDEX runs_top ON runs (id) WHERE parent IS NULL;
CREATE INDEX runs_by_parent ON runs (parent, id) WHERE parent IS NOT NULL;
CREATE INDEX runs_by_status ON runs (status, id);
CREATE INDEX runs_by_name ON runs (name, id);
CREATE INDEX runs_by_file ON runs (file, id);
CREATE UNIQUE INDEX events_of_run ON events (run, seq);
COMMIT;
PRAGMA application_id = 1129466967;
PRAGMA user_version = 1;
