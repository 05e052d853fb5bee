-- curlew.db of format 3, as the program of then (f97ddcc) left it, in a home with a key of 32 bytes 7: dumped by sqlite3, with its marks.
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
  , sum INTEGER) STRICT;
INSERT INTO runs VALUES(1,'1m7zm9wk05vc8qjgydd7','many','/tmp/store-old/flows/many.flow.yaml','{"kind":"cli"}','succeeded',0,'2026-11-21T18:01:11.009Z','2026-11-21T18:01:11.058Z',NULL,NULL,7,NULL,NULL,NULL,NULL,1845974767);
INSERT INTO runs VALUES(2,'1m7zm9x5yv7v2wkdwfk3','loop','/tmp/store-old/flows/loop.flow.yaml','{"kind":"cli"}','succeeded',0,'2026-11-21T18:01:11.615Z','2026-11-21T18:01:11.622Z',NULL,NULL,10,NULL,NULL,NULL,NULL,960573045);
INSERT INTO runs VALUES(3,'1m7zm9xs2xztwycchmmn','fails','/tmp/store-old/flows/fails.flow.yaml','{"kind":"cli"}','failed',0,'2026-11-21T18:01:12.226Z','2026-11-21T18:01:12.264Z',NULL,NULL,5,NULL,NULL,NULL,NULL,1702249408);
INSERT INTO runs VALUES(4,'1m7zm9ydmkdz7tvyff55','waits','/tmp/store-old/flows/waits.flow.yaml','{"kind":"cli"}','waiting',1,'2026-11-21T18:01:12.884Z',NULL,NULL,NULL,2,NULL,NULL,NULL,NULL,4229495344);
INSERT INTO runs VALUES(5,'1m7zm9z1n843ds621jwt','killed','/tmp/store-old/flows/killed.flow.yaml','{"kind":"cli"}','running',0,'2026-11-21T18:01:13.526Z',NULL,NULL,NULL,4,'3a4c77de-ecc9-4563-bf52-39e1a08d4bd0',29209,'4950698','f2f18929-24a7-41e7-9df4-41659709a0cc',784320261);
INSERT INTO runs VALUES(6,'1m7zm9z1xk5tk8ajadrb','loop','/tmp/store-old/flows/loop.flow.yaml','{"kind":"subflow"}','succeeded',0,'2026-11-21T18:01:13.537Z','2026-11-21T18:01:13.545Z','1m7zm9z1n843ds621jwt','s',10,NULL,NULL,NULL,NULL,1863755135);
CREATE TABLE events (
    pos INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL,          -- runs.key
    seq INTEGER NOT NULL,
    body TEXT NOT NULL             -- JSON: the event without run and seq
  , sum INTEGER) STRICT;
INSERT INTO events VALUES(1,1,1,'{"at":"2026-11-21T18:01:11.011Z","type":"run.started","workflow":{"name":"many","file":"/tmp/store-old/flows/many.flow.yaml","text":"curlew: 1\nname: many\ninputs: { who: { type: string, default: you } }\nnodes:\n  - { id: a, type: cli, data: { title: a, content: ''printf %s \"${who}\"'', rateLimit: { key: k, limit: 5, per: 1h } } }\n  - { id: b, type: cli, data: { title: b, content: ''echo \"${1}\"; echo err >&2'', cache: { key: c, ttl: 1d } } }\n  - { id: c, type: text, data: { title: c, content: \"${1}!\" } }\nedges: [a -> b -> c]\n"},"inputs":{"who":"you"},"trigger":{"kind":"cli"}}',982143394);
INSERT INTO events VALUES(2,1,2,'{"at":"2026-11-21T18:01:11.019Z","type":"attempt.started","node":"a","path":"a","number":1,"detail":{"command":"printf %s \"${who}\"","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"runner":"f2f1892924a7.29075.4950439","stdoutFile":"2.out","stderrFile":"2.err"}}',2100020761);
INSERT INTO events VALUES(3,1,3,'{"at":"2026-11-21T18:01:11.043Z","type":"attempt.succeeded","node":"a","path":"a","number":1,"value":{"text":"you"},"end":{"durationMs":11,"exitCode":0,"stdout":{"bytes":3},"stderr":{"bytes":0}}}',1836198202);
INSERT INTO events VALUES(4,1,4,'{"at":"2026-11-21T18:01:11.047Z","type":"attempt.started","node":"b","path":"b","number":1,"detail":{"command":"echo \"${1}\"; echo err >&2","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"runner":"f2f1892924a7.29075.4950439","cache":{"digest":"a8e7a3b3d5e84a2cba2b83278f647729a48e83a0bc5c4db3a3e24d436aa43191","key":"c","ttlMs":86400000},"stdoutFile":"4.out","stderrFile":"4.err"}}',916278766);
INSERT INTO events VALUES(5,1,5,'{"at":"2026-11-21T18:01:11.057Z","type":"attempt.succeeded","node":"b","path":"b","number":1,"value":{"text":"you"},"end":{"durationMs":8,"exitCode":0,"stdout":{"bytes":4},"stderr":{"bytes":4}}}',1484104942);
INSERT INTO events VALUES(6,1,6,'{"at":"2026-11-21T18:01:11.058Z","type":"node.succeeded","node":"c","path":"c","value":{"text":"you!"}}',141375565);
INSERT INTO events VALUES(7,1,7,'{"at":"2026-11-21T18:01:11.058Z","type":"run.succeeded"}',1115635012);
INSERT INTO events VALUES(8,2,1,'{"at":"2026-11-21T18:01:11.617Z","type":"run.started","workflow":{"name":"loop","file":"/tmp/store-old/flows/loop.flow.yaml","text":"curlew: 1\nname: loop\nnodes:\n  - { id: l, type: loop-start, data: { title: l, iterations: 2 } }\n  - { id: t, type: text, data: { title: t, content: \"p${i}\" } }\n  - { id: e, type: loop-end, data: { title: e } }\nedges: [l -> t -> e]\n"},"inputs":{},"trigger":{"kind":"cli"}}',1930915447);
INSERT INTO events VALUES(9,2,2,'{"at":"2026-11-21T18:01:11.619Z","type":"loop.started","node":"l","path":"l","first":1,"passes":2}',1134671002);
INSERT INTO events VALUES(10,2,3,'{"at":"2026-11-21T18:01:11.620Z","type":"pass.started","node":"l","path":"l[0]","index":0,"counter":1}',541678337);
INSERT INTO events VALUES(11,2,4,'{"at":"2026-11-21T18:01:11.620Z","type":"node.succeeded","node":"t","path":"t[0]","value":{"text":"p1"}}',3844868617);
INSERT INTO events VALUES(12,2,5,'{"at":"2026-11-21T18:01:11.620Z","type":"pass.succeeded","node":"l","path":"l[0]","index":0,"value":{"text":"p1"},"last":false}',1813913456);
INSERT INTO events VALUES(13,2,6,'{"at":"2026-11-21T18:01:11.621Z","type":"pass.started","node":"l","path":"l[1]","index":1,"counter":2}',1311886294);
INSERT INTO events VALUES(14,2,7,'{"at":"2026-11-21T18:01:11.621Z","type":"node.succeeded","node":"t","path":"t[1]","value":{"text":"p2"}}',1684902907);
INSERT INTO events VALUES(15,2,8,'{"at":"2026-11-21T18:01:11.621Z","type":"pass.succeeded","node":"l","path":"l[1]","index":1,"value":{"text":"p2"},"last":false}',4217591805);
INSERT INTO events VALUES(16,2,9,'{"at":"2026-11-21T18:01:11.622Z","type":"node.succeeded","node":"e","path":"e","value":{"text":"p2"}}',937570657);
INSERT INTO events VALUES(17,2,10,'{"at":"2026-11-21T18:01:11.622Z","type":"run.succeeded"}',1237631001);
INSERT INTO events VALUES(18,3,1,'{"at":"2026-11-21T18:01:12.228Z","type":"run.started","workflow":{"name":"fails","file":"/tmp/store-old/flows/fails.flow.yaml","text":"curlew: 1\nname: fails\nnodes:\n  - { id: a, type: cli, data: { title: a, content: ''echo no >&2; exit 3'' } }\n  - { id: b, type: text, data: { title: b, content: x } }\nedges: [a -> b]\n"},"inputs":{},"trigger":{"kind":"cli"}}',405046050);
INSERT INTO events VALUES(19,3,2,'{"at":"2026-11-21T18:01:12.238Z","type":"attempt.started","node":"a","path":"a","number":1,"detail":{"command":"echo no >&2; exit 3","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"runner":"f2f1892924a7.29135.4950577","stdoutFile":"2.out","stderrFile":"2.err"}}',214119219);
INSERT INTO events VALUES(20,3,3,'{"at":"2026-11-21T18:01:12.264Z","type":"attempt.failed","node":"a","path":"a","number":1,"failure":{"code":"exit-non-zero","message":"The command exited with code 3.","exitCode":3,"stderr":"no\n"},"value":{"text":""},"end":{"durationMs":14,"exitCode":3,"stdout":{"bytes":0},"stderr":{"bytes":3}}}',2787866113);
INSERT INTO events VALUES(21,3,4,'{"at":"2026-11-21T18:01:12.264Z","type":"node.skipped","node":"b","path":"b","reason":"run-ended"}',2700683589);
INSERT INTO events VALUES(22,3,5,'{"at":"2026-11-21T18:01:12.264Z","type":"run.failed","node":"a","path":"a","failure":{"code":"exit-non-zero","message":"The command exited with code 3.","exitCode":3,"stderr":"no\n"}}',1919477133);
INSERT INTO events VALUES(23,4,1,'{"at":"2026-11-21T18:01:12.886Z","type":"run.started","workflow":{"name":"waits","file":"/tmp/store-old/flows/waits.flow.yaml","text":"curlew: 1\nname: waits\nnodes:\n  - { id: gate, type: cli, data: { title: g, content: ''echo hi'', needsUserApproval: true } }\n"},"inputs":{},"trigger":{"kind":"cli"}}',4048980180);
INSERT INTO events VALUES(24,4,2,'{"at":"2026-11-21T18:01:12.897Z","type":"approval.requested","node":"gate","path":"gate","number":1,"hash":"8aa5b7a699fd3bd2a9d5680fc827e73a5caa71622ff36d8063df13eef6dd7b75","reasons":[{"code":"needs-approval","message":"The workflow says that a person must approve this."}],"detail":{"command":"echo hi","rendered":"echo hi","values":[],"shell":"bash","cwd":"/tmp/store-old/flows","env":[],"egress":"https"},"bound":{"the program":"7750d531bfa80e75","the shell":"04252ee0d0facfff","the working directory":"e194298689d14085","the sandbox":"0d824d6cc69b2cd1","the egress":"66cd534a359408ec","the time limits":"9d8d9a1d7b8c1bf3","the safety level":"606e6120946aa444","the sign-in":"a5c89d471cbd2531","the environment variable SHELL":"b35aba341525f695","the environment variable NODE_EXTRA_CA_CERTS":"95579b4b5c1ca465","the environment variable HOME":"45919c087d8c64fd","the environment variable GIT_SSL_CAINFO":"05cbaa1b8249ad2d","the environment variable LANG":"d5c7464d53416df4","the environment variable SSL_CERT_DIR":"2e0942bae4b019c5","the environment variable CURL_CA_BUNDLE":"eb51b6a712892379","the environment variable SSL_CERT_FILE":"6657e847d2451230","the environment variable REQUESTS_CA_BUNDLE":"493658887aaf5493","the environment variable AWS_CA_BUNDLE":"6a5be763485a9a66","the environment variable PATH":"e603cf4e99e55edd","the environment variable CURLEW_RUN_ID":"47a8c92ac8a2091a","the environment variable CURLEW_NODE":"f3c1d5a520cdc093","standard input":"d59b6283683f2e2d"}}',1476377505);
INSERT INTO events VALUES(25,5,1,'{"at":"2026-11-21T18:01:13.527Z","type":"run.started","workflow":{"name":"killed","file":"/tmp/store-old/flows/killed.flow.yaml","text":"curlew: 1\nname: killed\nnodes:\n  - { id: s, type: subflow, data: { title: s, workflow: loop.flow.yaml } }\n  - { id: k, type: cli, data: { title: k, content: ''sleep 30'' } }\nedges: [s -> k]\n"},"subflows":{"/tmp/store-old/flows/loop.flow.yaml":"curlew: 1\nname: loop\nnodes:\n  - { id: l, type: loop-start, data: { title: l, iterations: 2 } }\n  - { id: t, type: text, data: { title: t, content: \"p${i}\" } }\n  - { id: e, type: loop-end, data: { title: e } }\nedges: [l -> t -> e]\n"},"inputs":{},"trigger":{"kind":"cli"}}',694134777);
INSERT INTO events VALUES(26,5,2,'{"at":"2026-11-21T18:01:13.534Z","type":"attempt.started","node":"s","path":"s","number":1,"detail":{"command":"loop.flow.yaml","childRun":"1m7zm9z1xk5tk8ajadrb","stdoutFile":"2.out","stderrFile":"2.err"}}',1105813687);
INSERT INTO events VALUES(27,6,1,'{"at":"2026-11-21T18:01:13.537Z","type":"run.started","workflow":{"name":"loop","file":"/tmp/store-old/flows/loop.flow.yaml","text":"curlew: 1\nname: loop\nnodes:\n  - { id: l, type: loop-start, data: { title: l, iterations: 2 } }\n  - { id: t, type: text, data: { title: t, content: \"p${i}\" } }\n  - { id: e, type: loop-end, data: { title: e } }\nedges: [l -> t -> e]\n"},"subflows":{"/tmp/store-old/flows/loop.flow.yaml":"curlew: 1\nname: loop\nnodes:\n  - { id: l, type: loop-start, data: { title: l, iterations: 2 } }\n  - { id: t, type: text, data: { title: t, content: \"p${i}\" } }\n  - { id: e, type: loop-end, data: { title: e } }\nedges: [l -> t -> e]\n"},"inputs":{},"trigger":{"kind":"subflow"},"parent":{"run":"1m7zm9z1n843ds621jwt","path":"s"}}',254029858);
INSERT INTO events VALUES(28,6,2,'{"at":"2026-11-21T18:01:13.539Z","type":"loop.started","node":"l","path":"l","first":1,"passes":2}',2491770051);
INSERT INTO events VALUES(29,6,3,'{"at":"2026-11-21T18:01:13.539Z","type":"pass.started","node":"l","path":"l[0]","index":0,"counter":1}',1709761232);
INSERT INTO events VALUES(30,6,4,'{"at":"2026-11-21T18:01:13.540Z","type":"node.succeeded","node":"t","path":"t[0]","value":{"text":"p1"}}',2423566124);
INSERT INTO events VALUES(31,6,5,'{"at":"2026-11-21T18:01:13.540Z","type":"pass.succeeded","node":"l","path":"l[0]","index":0,"value":{"text":"p1"},"last":false}',4183165283);
INSERT INTO events VALUES(32,6,6,'{"at":"2026-11-21T18:01:13.543Z","type":"pass.started","node":"l","path":"l[1]","index":1,"counter":2}',3813889021);
INSERT INTO events VALUES(33,6,7,'{"at":"2026-11-21T18:01:13.543Z","type":"node.succeeded","node":"t","path":"t[1]","value":{"text":"p2"}}',83009612);
INSERT INTO events VALUES(34,6,8,'{"at":"2026-11-21T18:01:13.543Z","type":"pass.succeeded","node":"l","path":"l[1]","index":1,"value":{"text":"p2"},"last":false}',3358009320);
INSERT INTO events VALUES(35,6,9,'{"at":"2026-11-21T18:01:13.544Z","type":"node.succeeded","node":"e","path":"e","value":{"text":"p2"}}',595124048);
INSERT INTO events VALUES(36,6,10,'{"at":"2026-11-21T18:01:13.545Z","type":"run.succeeded"}',2141907051);
INSERT INTO events VALUES(37,5,3,'{"at":"2026-11-21T18:01:13.549Z","type":"attempt.succeeded","node":"s","path":"s","number":1,"value":{"text":"p2"},"end":{"durationMs":11}}',1854264924);
INSERT INTO events VALUES(38,5,4,'{"at":"2026-11-21T18:01:13.552Z","type":"attempt.started","node":"k","path":"k","number":1,"detail":{"command":"sleep 30","shell":"bash","cwd":"/tmp/store-old/flows","env":[],"runner":"f2f1892924a7.29222.4950707","stdoutFile":"4.out","stderrFile":"4.err"}}',1451817585);
CREATE TABLE audit (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL,            -- JSON: the entry, exactly the bytes that are chained
    hash TEXT NOT NULL
  ) STRICT;
INSERT INTO audit VALUES(1,'{"n":1,"at":"2026-11-21T18:01:12.897Z","type":"approval.requested","path":"gate","hash":"8aa5b7a699fd3bd2a9d5680fc827e73a5caa71622ff36d8063df13eef6dd7b75","run":"1m7zm9ydmkdz7tvyff55","event":{"run":"1m7zm9ydmkdz7tvyff55","seq":2}}','ef460f4971d95504d4b71f82689b2317439addc5fce30bf3f9a98ab378756700');
CREATE TABLE audit_head (
    since INTEGER NOT NULL,        -- events.pos
    count INTEGER NOT NULL,
    hash TEXT NOT NULL,
    mac TEXT NOT NULL
  ) STRICT;
INSERT INTO audit_head VALUES(0,1,'ef460f4971d95504d4b71f82689b2317439addc5fce30bf3f9a98ab378756700','bbbb14c6a9e34a68b80a203b09372fc1019ad9f561760ded60f4aae3b4b85ef8');
CREATE TABLE summed (
    events INTEGER NOT NULL,       -- events.pos, the last without a sum
    runs INTEGER NOT NULL          -- runs.key, likewise
  ) STRICT;
INSERT INTO summed VALUES(0,0);
CREATE TABLE rate_starts (
    n INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    up_ms INTEGER NOT NULL,
    boot TEXT NOT NULL,
    per_ms INTEGER NOT NULL        -- how long it counts
  ) STRICT;
INSERT INTO rate_starts VALUES(1,'k',1795284071018,49505079,'f2f18929-24a7-41e7-9df4-41659709a0cc',3600000);
CREATE TABLE slots (
    run TEXT NOT NULL,
    path TEXT NOT NULL,
    number INTEGER NOT NULL,       -- of the attempt
    key TEXT NOT NULL,
    owner TEXT NOT NULL,           -- JSON
    PRIMARY KEY (run, path)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE budget_waits (
    ticket INTEGER PRIMARY KEY AUTOINCREMENT, -- first come, first served
    budget TEXT NOT NULL,          -- rate, concurrency
    key TEXT NOT NULL,
    most INTEGER NOT NULL,
    per_ms INTEGER NOT NULL,       -- of a rate
    run TEXT NOT NULL,
    path TEXT NOT NULL,
    due_ms INTEGER,                -- since when it is its turn, as up_ms
    token TEXT NOT NULL,           -- the owner's
    owner TEXT NOT NULL
  ) STRICT;
CREATE TABLE cache (
    digest TEXT PRIMARY KEY,
    key TEXT NOT NULL,             -- as it may be shown
    workflow TEXT NOT NULL,
    node TEXT NOT NULL,
    run TEXT NOT NULL,
    path TEXT NOT NULL,
    stored_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    text TEXT                      -- absent: in the file cache/DIGEST of the home
  ) STRICT, WITHOUT ROWID;
INSERT INTO cache VALUES('a8e7a3b3d5e84a2cba2b83278f647729a48e83a0bc5c4db3a3e24d436aa43191','c','/tmp/store-old/flows/many.flow.yaml','b','1m7zm9wk05vc8qjgydd7','b',1795284071057,1795370471057,3,'you');
CREATE TABLE trusted (
    hash TEXT PRIMARY KEY,
    file TEXT NOT NULL,            -- the workflow it stood in, for people
    node TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('events',38);
CREATE INDEX runs_top ON runs (id) WHERE parent IS NULL;
CREATE INDEX runs_by_parent ON runs (parent, id) WHERE parent IS NOT NULL;
CREATE INDEX runs_by_status ON runs (status, id);
CREATE INDEX runs_by_name ON runs (name, id);
CREATE INDEX runs_by_file ON runs (file, id);
CREATE UNIQUE INDEX events_of_run ON events (run, seq);
CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE INDEX runs_left ON runs (id) WHERE owner_token IS NOT NULL AND ended_at IS NOT NULL;
CREATE INDEX runs_by_end ON runs (ended_at) WHERE ended_at IS NOT NULL AND parent IS NULL;
CREATE INDEX rate_starts_by_key ON rate_starts (key, up_ms, per_ms);
CREATE INDEX slots_by_key ON slots (key);
CREATE UNIQUE INDEX budget_waits_of_node ON budget_waits (run, path);
CREATE INDEX budget_waits_by_key ON budget_waits (budget, key, ticket);
CREATE INDEX budget_waits_by_token ON budget_waits (token);
CREATE INDEX cache_by_age ON cache (stored_ms);
COMMIT;
PRAGMA application_id = 1129466967;
PRAGMA user_version = 3;
