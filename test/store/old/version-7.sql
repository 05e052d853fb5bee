-- curlew.db of format 7: that of format 6 (version-6.sql), moved forward by the program of then (39a6e453), with a run from the web UI, a test of one of its nodes, and a retry.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE audit (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL,            -- JSON: the entry, exactly the bytes that are chained
    hash TEXT NOT NULL
  ) STRICT;
INSERT INTO audit VALUES(1,'{"n":1,"at":"2026-11-21T21:31:55.064Z","type":"approval.requested","path":"gate","hash":"d229ff54b9fe640c8ef50a1e6211ab6c61c1e8798f04f5736e76f22faba03736","run":"1m800br5rad18v29xawe","event":{"run":"1m800br5rad18v29xawe","seq":2}}','cd6cdfb522b10ddf241412605e0dbf85873f2e2a7e92b96d6b1d6e749b715027');
INSERT INTO audit VALUES(2,'{"n":2,"at":"2026-11-21T21:32:00.232Z","type":"approval.granted","path":"gate","hash":"d229ff54b9fe640c8ef50a1e6211ab6c61c1e8798f04f5736e76f22faba03736","by":"root","door":"cli","from":{"host":"vm"},"run":"1m800br5rad18v29xawe","event":{"run":"1m800br5rad18v29xawe","seq":3}}','53461f68a7de13700ebc3d46114da893762f003e6ad60ed60b5544bd0d4c5850');
INSERT INTO audit VALUES(3,'{"n":3,"at":"2026-11-21T21:32:01.501Z","type":"approval.requested","path":"gate","hash":"e8fbeb85b2debe4ead50550f117232457036f0236acaf37ea87b151b06b5f730","run":"1m800byh9qr82jwzaqve","event":{"run":"1m800byh9qr82jwzaqve","seq":2}}','b9307bd511cc8c1b335b53a72cc6f3ea68c9ae88ced901cd34c650c73ba74a83');
CREATE TABLE audit_head (
    since INTEGER NOT NULL,        -- events.pos
    count INTEGER NOT NULL,
    hash TEXT NOT NULL,
    mac TEXT NOT NULL
  ) STRICT;
INSERT INTO audit_head VALUES(0,3,'b9307bd511cc8c1b335b53a72cc6f3ea68c9ae88ced901cd34c650c73ba74a83','551a2cbd40539890a296bc6d8874648cc68bb8fafd1217b2947bc236ae9d4dbf');
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
CREATE TABLE deliveries (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    hook TEXT NOT NULL,
    file TEXT NOT NULL,            -- the workflow file that it starts
    sender_id TEXT,                -- what the sender calls it
    received_at TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    status TEXT NOT NULL,          -- received, started, failed, refused, duplicate
    reason TEXT,
    run TEXT,                      -- chosen when it came
    replay_of TEXT,
    headers TEXT NOT NULL,         -- JSON
    body BLOB                      -- exactly as it came; absent of what was refused or known already, and of what is old
  , query TEXT) STRICT;
INSERT INTO deliveries VALUES(1,'1m800br5rdswrzqh9cx5','open','/tmp/v4/flows/hook.flow.yaml','a','2026-11-21T21:31:54.936Z',7,'started',NULL,'1m800br5rad18v29xawe',NULL,'{"host":"127.0.0.1:4880","user-agent":"curl/7.88.1","accept":"*/*","idempotency-key":"a","content-length":"7","content-type":"application/x-www-form-urlencoded"}',X'7b2261223a317d','{"a":"b"}');
INSERT INTO deliveries VALUES(2,'1m800brafasms7hwaq79','open','/tmp/v4/flows/hook.flow.yaml','a','2026-11-21T21:31:55.087Z',7,'duplicate','1m800br5rdswrzqh9cx5','1m800br5rad18v29xawe',NULL,'{}',NULL,NULL);
INSERT INTO deliveries VALUES(3,'1m800brbv1128sz04k9a','open','/tmp/v4/flows/hook.flow.yaml',NULL,'2026-11-21T21:31:55.131Z',77,'refused','json-too-deep',NULL,NULL,'{}',NULL,NULL);
CREATE TABLE events (
    pos INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL,          -- runs.key
    seq INTEGER NOT NULL,
    body TEXT NOT NULL             -- JSON: the event without run and seq
  , sum INTEGER) STRICT;
INSERT INTO events VALUES(1,1,1,'{"at":"2026-11-21T21:31:54.994Z","type":"run.started","workflow":{"name":"Hook","file":"/tmp/v4/flows/hook.flow.yaml","text":"curlew: 1\nname: Hook\non:\n  - webhook: { path: open, verify: none }\n  - schedule: { cron: \"0 9 * * *\", timezone: Europe/Berlin }\n  - file: { paths: [\"inbox/*.json\"] }\nnodes:\n  - { id: gate, type: cli, data: { title: gate, content: \"printf ''%s'' got\", needsUserApproval: true } }\n  - { id: t, type: text, data: { title: t, content: \"got ${event}\" } }\nedges: [gate -> t]\n"},"inputs":{"event":"{\"a\":1}"},"trigger":{"kind":"webhook","by":"open"}}',2218865125);
INSERT INTO events VALUES(2,1,2,'{"at":"2026-11-21T21:31:55.064Z","type":"approval.requested","node":"gate","path":"gate","number":1,"hash":"d229ff54b9fe640c8ef50a1e6211ab6c61c1e8798f04f5736e76f22faba03736","reasons":[{"code":"needs-approval","message":"The workflow says that a person must approve this."}],"detail":{"command":"printf ''%s'' got","rendered":"printf ''%s'' got","values":[],"shell":"bash","cwd":"/tmp/v4/flows","env":[],"egress":"https"},"bound":{"the program":"fd3334f4fd2d1672","the shell":"04252ee0d0facfff","the working directory":"59274ed131f2740f","the sandbox":"0d824d6cc69b2cd1","the egress":"66cd534a359408ec","the time limits":"9d8d9a1d7b8c1bf3","the safety level":"606e6120946aa444","the sign-in":"a5c89d471cbd2531","the environment variable SHELL":"b35aba341525f695","the environment variable NODE_EXTRA_CA_CERTS":"95579b4b5c1ca465","the environment variable HOME":"45919c087d8c64fd","the environment variable GIT_SSL_CAINFO":"05cbaa1b8249ad2d","the environment variable LANG":"d5c7464d53416df4","the environment variable SSL_CERT_DIR":"2e0942bae4b019c5","the environment variable CURL_CA_BUNDLE":"eb51b6a712892379","the environment variable SSL_CERT_FILE":"6657e847d2451230","the environment variable REQUESTS_CA_BUNDLE":"493658887aaf5493","the environment variable AWS_CA_BUNDLE":"6a5be763485a9a66","the environment variable PATH":"1366e583c62bcf33","the environment variable CURLEW_RUN_ID":"309966798491a5d5","the environment variable CURLEW_NODE":"f3c1d5a520cdc093","standard input":"d59b6283683f2e2d"}}',2755043548);
INSERT INTO events VALUES(3,1,3,'{"at":"2026-11-21T21:32:00.232Z","type":"approval.granted","node":"gate","path":"gate","hash":"d229ff54b9fe640c8ef50a1e6211ab6c61c1e8798f04f5736e76f22faba03736","by":"root","door":"cli","from":{"host":"vm"}}',2001144211);
INSERT INTO events VALUES(4,1,4,'{"at":"2026-11-21T21:32:01.134Z","type":"attempt.started","node":"gate","path":"gate","number":1,"detail":{"command":"printf ''%s'' got","shell":"bash","cwd":"/tmp/v4/flows","env":[],"runner":"f2f1892924a7.23450.6214911","approval":"granted","stdoutFile":"4.out","stderrFile":"4.err"}}',3099977304);
INSERT INTO events VALUES(5,1,5,'{"at":"2026-11-21T21:32:01.222Z","type":"attempt.succeeded","node":"gate","path":"gate","number":1,"value":{"text":"got"},"end":{"durationMs":52,"exitCode":0,"stdout":{"bytes":3},"stderr":{"bytes":0}}}',4250088138);
INSERT INTO events VALUES(6,1,6,'{"at":"2026-11-21T21:32:01.223Z","type":"node.succeeded","node":"t","path":"t","value":{"text":"got {\"a\":1}"}}',188043192);
INSERT INTO events VALUES(7,1,7,'{"at":"2026-11-21T21:32:01.223Z","type":"run.succeeded"}',2235020697);
INSERT INTO events VALUES(8,2,1,'{"at":"2026-11-21T21:32:01.473Z","type":"run.started","workflow":{"name":"Hook","file":"/tmp/v4/flows/hook.flow.yaml","text":"curlew: 1\nname: Hook\non:\n  - webhook: { path: open, verify: none }\n  - schedule: { cron: \"0 9 * * *\", timezone: Europe/Berlin }\n  - file: { paths: [\"inbox/*.json\"] }\nnodes:\n  - { id: gate, type: cli, data: { title: gate, content: \"printf ''%s'' got\", needsUserApproval: true } }\n  - { id: t, type: text, data: { title: t, content: \"got ${event}\" } }\nedges: [gate -> t]\n"},"inputs":{"event":"{\"path\":\"inbox/a.json\",\"change\":\"add\"}"},"trigger":{"kind":"file","by":"inbox/a.json"}}',1923336321);
INSERT INTO events VALUES(9,2,2,'{"at":"2026-11-21T21:32:01.501Z","type":"approval.requested","node":"gate","path":"gate","number":1,"hash":"e8fbeb85b2debe4ead50550f117232457036f0236acaf37ea87b151b06b5f730","reasons":[{"code":"needs-approval","message":"The workflow says that a person must approve this."}],"detail":{"command":"printf ''%s'' got","rendered":"printf ''%s'' got","values":[],"shell":"bash","cwd":"/tmp/v4/flows","env":[],"egress":"https"},"bound":{"the program":"fd3334f4fd2d1672","the shell":"04252ee0d0facfff","the working directory":"59274ed131f2740f","the sandbox":"0d824d6cc69b2cd1","the egress":"66cd534a359408ec","the time limits":"9d8d9a1d7b8c1bf3","the safety level":"606e6120946aa444","the sign-in":"a5c89d471cbd2531","the environment variable SHELL":"b35aba341525f695","the environment variable NODE_EXTRA_CA_CERTS":"95579b4b5c1ca465","the environment variable HOME":"45919c087d8c64fd","the environment variable GIT_SSL_CAINFO":"05cbaa1b8249ad2d","the environment variable LANG":"d5c7464d53416df4","the environment variable SSL_CERT_DIR":"2e0942bae4b019c5","the environment variable CURL_CA_BUNDLE":"eb51b6a712892379","the environment variable SSL_CERT_FILE":"6657e847d2451230","the environment variable REQUESTS_CA_BUNDLE":"493658887aaf5493","the environment variable AWS_CA_BUNDLE":"6a5be763485a9a66","the environment variable PATH":"1366e583c62bcf33","the environment variable CURLEW_RUN_ID":"d987d55569df2f30","the environment variable CURLEW_NODE":"f3c1d5a520cdc093","standard input":"d59b6283683f2e2d"}}',2312484643);
INSERT INTO events VALUES(10,3,1,'{"at":"2026-11-23T20:28:03.143Z","type":"run.started","workflow":{"name":"two","file":"/home/you/flows/two.flow.yaml","text":"curlew: 1\nname: two\nnodes:\n  - { id: first, type: cli, data: { title: First, content: echo one } }\n  - { id: second, type: cli, data: { title: Second, content: \"echo two\" } }\nedges:\n  - first -> second\n"},"inputs":{},"trigger":{"kind":"api","by":"web"}}',NULL);
INSERT INTO events VALUES(11,3,2,'{"at":"2026-11-23T20:28:03.160Z","type":"attempt.started","node":"first","path":"first","number":1,"detail":{"command":"echo one","shell":"bash","cwd":"/home/you/flows","env":[],"runner":"7b9bceb5a8ff.1884.3778973","stdoutFile":"2.out","stderrFile":"2.err"}}',NULL);
INSERT INTO events VALUES(12,3,3,'{"at":"2026-11-23T20:28:03.279Z","type":"attempt.succeeded","node":"first","path":"first","number":1,"value":{"text":"one"},"end":{"durationMs":17,"exitCode":0,"stdout":{"bytes":4,"sha256":"2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806"},"stderr":{"bytes":0}}}',NULL);
INSERT INTO events VALUES(13,3,4,'{"at":"2026-11-23T20:28:03.280Z","type":"attempt.started","node":"second","path":"second","number":1,"detail":{"command":"echo two","shell":"bash","cwd":"/home/you/flows","env":[],"runner":"7b9bceb5a8ff.1884.3778973","stdoutFile":"4.out","stderrFile":"4.err"}}',NULL);
INSERT INTO events VALUES(14,3,5,'{"at":"2026-11-23T20:28:03.290Z","type":"attempt.succeeded","node":"second","path":"second","number":1,"value":{"text":"two"},"end":{"durationMs":6,"exitCode":0,"stdout":{"bytes":4,"sha256":"27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a"},"stderr":{"bytes":0}}}',NULL);
INSERT INTO events VALUES(15,3,6,'{"at":"2026-11-23T20:28:03.291Z","type":"run.succeeded"}',NULL);
INSERT INTO events VALUES(16,4,1,'{"at":"2026-11-23T20:28:03.393Z","type":"run.started","workflow":{"name":"two","file":"/home/you/flows/two.flow.yaml","text":"curlew: 1\nname: two\nnodes:\n  - { id: first, type: cli, data: { title: First, content: echo one } }\n  - { id: second, type: cli, data: { title: Second, content: \"echo two\" } }\nedges:\n  - first -> second\n"},"inputs":{},"trigger":{"kind":"api","by":"web"},"only":{"node":"second","run":"1m851g8629yrwbmr7gpk","result":"second"}}',NULL);
INSERT INTO events VALUES(17,4,2,'{"at":"2026-11-23T20:28:03.393Z","type":"node.kept","node":"first","path":"first","status":"succeeded","kept":{"run":"1m851g8629yrwbmr7gpk","seq":3},"value":{"text":"one"},"exitCode":0,"attempt":{"number":1,"startedAt":"2026-11-23T20:28:03.160Z","endedAt":"2026-11-23T20:28:03.279Z","status":"succeeded","detail":{"command":"echo one","shell":"bash","cwd":"/home/you/flows","env":[],"stdoutFile":"2.out","stderrFile":"2.err"},"end":{"durationMs":17,"exitCode":0,"stdout":{"bytes":4,"sha256":"2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806"},"stderr":{"bytes":0}}}}',NULL);
INSERT INTO events VALUES(18,4,3,'{"at":"2026-11-23T20:28:03.396Z","type":"attempt.started","node":"second","path":"second","number":1,"detail":{"command":"echo two","shell":"bash","cwd":"/home/you/flows","env":[],"runner":"7b9bceb5a8ff.1884.3778973","stdoutFile":"3.out","stderrFile":"3.err"}}',NULL);
INSERT INTO events VALUES(19,4,4,'{"at":"2026-11-23T20:28:03.407Z","type":"attempt.succeeded","node":"second","path":"second","number":1,"value":{"text":"two"},"end":{"durationMs":7,"exitCode":0,"stdout":{"bytes":4,"sha256":"27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a"},"stderr":{"bytes":0}}}',NULL);
INSERT INTO events VALUES(20,4,5,'{"at":"2026-11-23T20:28:03.407Z","type":"run.succeeded"}',NULL);
INSERT INTO events VALUES(21,5,1,'{"at":"2026-11-23T20:28:03.434Z","type":"run.started","workflow":{"name":"two","file":"/home/you/flows/two.flow.yaml","text":"curlew: 1\nname: two\nnodes:\n  - { id: first, type: cli, data: { title: First, content: echo one } }\n  - { id: second, type: cli, data: { title: Second, content: \"echo two\" } }\nedges:\n  - first -> second\n"},"inputs":{},"trigger":{"kind":"api","by":"retry of 1m851g8629yrwbmr7gpk"}}',NULL);
INSERT INTO events VALUES(22,5,2,'{"at":"2026-11-23T20:28:03.436Z","type":"attempt.started","node":"first","path":"first","number":1,"detail":{"command":"echo one","shell":"bash","cwd":"/home/you/flows","env":[],"runner":"7b9bceb5a8ff.1884.3778973","stdoutFile":"2.out","stderrFile":"2.err"}}',NULL);
INSERT INTO events VALUES(23,5,3,'{"at":"2026-11-23T20:28:03.444Z","type":"attempt.succeeded","node":"first","path":"first","number":1,"value":{"text":"one"},"end":{"durationMs":4,"exitCode":0,"stdout":{"bytes":4,"sha256":"2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806"},"stderr":{"bytes":0}}}',NULL);
INSERT INTO events VALUES(24,5,4,'{"at":"2026-11-23T20:28:03.444Z","type":"attempt.started","node":"second","path":"second","number":1,"detail":{"command":"echo two","shell":"bash","cwd":"/home/you/flows","env":[],"runner":"7b9bceb5a8ff.1884.3778973","stdoutFile":"4.out","stderrFile":"4.err"}}',NULL);
INSERT INTO events VALUES(25,5,5,'{"at":"2026-11-23T20:28:03.452Z","type":"attempt.succeeded","node":"second","path":"second","number":1,"value":{"text":"two"},"end":{"durationMs":5,"exitCode":0,"stdout":{"bytes":4,"sha256":"27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a"},"stderr":{"bytes":0}}}',NULL);
INSERT INTO events VALUES(26,5,6,'{"at":"2026-11-23T20:28:03.453Z","type":"run.succeeded"}',NULL);
CREATE TABLE rate_starts (
    n INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    up_ms INTEGER NOT NULL,
    boot TEXT NOT NULL,
    per_ms INTEGER NOT NULL        -- how long it counts
  ) STRICT;
CREATE TABLE removed_runs (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL
  ) STRICT;
INSERT INTO removed_runs VALUES(1,'1m800braf00000000000');
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
INSERT INTO runs VALUES(1,'1m800br5rad18v29xawe','Hook','/tmp/v4/flows/hook.flow.yaml','{"kind":"webhook","by":"open"}','succeeded',0,'2026-11-21T21:31:54.993Z','2026-11-21T21:32:01.223Z',NULL,NULL,7,NULL,NULL,NULL,NULL,1507758133);
INSERT INTO runs VALUES(2,'1m800byh9qr82jwzaqve','Hook','/tmp/v4/flows/hook.flow.yaml','{"kind":"file","by":"inbox/a.json"}','waiting',1,'2026-11-21T21:32:01.473Z',NULL,NULL,NULL,2,NULL,NULL,NULL,NULL,689073759);
INSERT INTO runs VALUES(3,'1m851g8629yrwbmr7gpk','two','/home/you/flows/two.flow.yaml','{"kind":"api","by":"web"}','succeeded',0,'2026-11-23T20:28:03.139Z','2026-11-23T20:28:03.291Z',NULL,NULL,6,NULL,NULL,NULL,NULL,NULL);
INSERT INTO runs VALUES(4,'1m851g8dk70jr0fjzf8x','two','/home/you/flows/two.flow.yaml','{"kind":"api","by":"web"}','succeeded',0,'2026-11-23T20:28:03.379Z','2026-11-23T20:28:03.407Z',NULL,NULL,5,NULL,NULL,NULL,NULL,NULL);
INSERT INTO runs VALUES(5,'1m851g8f9mzkwfxwravy','two','/home/you/flows/two.flow.yaml','{"kind":"api","by":"retry of 1m851g8629yrwbmr7gpk"}','succeeded',0,'2026-11-23T20:28:03.434Z','2026-11-23T20:28:03.453Z',NULL,NULL,6,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE slots (
    run TEXT NOT NULL,
    path TEXT NOT NULL,
    number INTEGER NOT NULL,       -- of the attempt
    key TEXT NOT NULL,
    owner TEXT NOT NULL,           -- JSON
    PRIMARY KEY (run, path)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE start_keys (
    key TEXT PRIMARY KEY,          -- a digest of it
    request TEXT NOT NULL,         -- a digest of what was asked
    run TEXT NOT NULL,             -- chosen before it began
    at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE trigger_documents (
    file TEXT PRIMARY KEY,
    says TEXT NOT NULL,            -- JSON: its triggers
    seen_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO trigger_documents VALUES('/tmp/v4/flows/hook.flow.yaml','[]',1795296709828);
CREATE TABLE trigger_starts (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL UNIQUE,
    trigger TEXT NOT NULL,
    key TEXT NOT NULL,             -- of a schedule its time: one start a key
    started_by TEXT NOT NULL,      -- JSON: the trigger, as the run has it
    file TEXT NOT NULL,            -- the workflow file
    event TEXT,
    state TEXT NOT NULL            -- due, started, dropped
  ) STRICT;
INSERT INTO trigger_starts VALUES(1,'1m800byh9qr82jwzaqve','file-243512a70dfa','1m800byh9qr82jwzaqve','{"kind":"file","by":"inbox/a.json"}','/tmp/v4/flows/hook.flow.yaml',NULL,'started');
CREATE TABLE triggers (
    id TEXT PRIMARY KEY,
    paused INTEGER NOT NULL DEFAULT 0,
    since_ms INTEGER NOT NULL,     -- up to here everything is dealt with; of a schedule a time, of a watch the last look
    seen_ms INTEGER NOT NULL,      -- when a document last said it
    last TEXT                      -- JSON: what came of it last
  ) STRICT, WITHOUT ROWID;
INSERT INTO triggers VALUES('file-243512a70dfa',0,1795296721449,1795296709846,'{"at":"2026-11-21T21:32:01.475Z","file":"inbox/a.json","run":"1m800byh9qr82jwzaqve"}');
INSERT INTO triggers VALUES('schedule-7e4855b36a3f',0,1795296709828,1795296709828,NULL);
CREATE TABLE trusted (
    hash TEXT PRIMARY KEY,
    file TEXT NOT NULL,            -- the workflow it stood in, for people
    node TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT;
CREATE TABLE watched (
    trigger TEXT NOT NULL,
    path TEXT NOT NULL,
    mark TEXT NOT NULL,            -- size, time of change, number of the file
    PRIMARY KEY (trigger, path)
  ) STRICT, WITHOUT ROWID;
INSERT INTO watched VALUES('file-243512a70dfa','inbox/a.json','2385212:3:1795296721166717873');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('deliveries',3);
INSERT INTO sqlite_sequence VALUES('events',26);
INSERT INTO sqlite_sequence VALUES('trigger_starts',1);
INSERT INTO sqlite_sequence VALUES('removed_runs',1);
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
CREATE UNIQUE INDEX trigger_starts_once ON trigger_starts (trigger, key);
CREATE INDEX trigger_starts_due ON trigger_starts (trigger, n) WHERE state = 'due';
CREATE UNIQUE INDEX deliveries_once ON deliveries (hook, sender_id)
    WHERE sender_id IS NOT NULL AND replay_of IS NULL AND status NOT IN ('refused', 'duplicate');
CREATE INDEX deliveries_open ON deliveries (n) WHERE status = 'received';
CREATE INDEX deliveries_by_hook ON deliveries (hook, n);
CREATE INDEX deliveries_turned_away ON deliveries (n) WHERE status IN ('refused', 'duplicate');
CREATE INDEX start_keys_by_age ON start_keys (at_ms);
COMMIT;
PRAGMA application_id=1129466967;
PRAGMA user_version=7;
