// limits: every limit of Curlew, named in one place (spec 1.1, 1.2, 3.2). Units are in the names.

export const limits = {
  /** A workflow document (1.1). Diagnostic `document-too-large`. */
  documentBytesMax: 5_000_000,
  /** A file of values: `--input-file`, `--env-file`. Error `cannot-read`. */
  inputFileBytesMax: 64_000_000,
  /** After an answer: how long a claim of the run is taken for a look of somebody else's (3.5). */
  answerLookMs: 500,
  /** Nodes of one document (1.1). Diagnostic `too-many-nodes`. */
  nodesMax: 20_000,
  /** Edges of one document, chains counted edge by edge (1.1). Diagnostic `too-many-edges`. */
  edgesMax: 100_000,
  /** A coordinate of `layout`, either way. Diagnostic `out-of-range`. */
  layoutMax: 1_000_000,
  /** YAML alias expansions in one document (1.1). Diagnostic `too-many-aliases`. */
  aliasesMax: 1_000,
  /** Values of one document after alias expansion. Diagnostic `too-many-aliases`. */
  expandedNodesMax: 2_000_000,
  /** Nesting of maps and lists in one document (1.1). Diagnostic `nested-too-deeply`. */
  nestingMax: 64,
  /** Loops inside loops of one document. Diagnostic `loops-too-deep`. */
  loopDepthMax: 64,
  /** Diagnostics reported for one document; the rest is counted. */
  diagnosticsMax: 100,
  /** Findings looked for in one part (a node, a field) of a document; nobody reads more. */
  shapeFindingsMax: 500,
  /** Subflows inside subflows. Diagnostic `subflow-too-deep`. */
  subflowDepthMax: 16,
  /** A node id (1.1). */
  idCharsMax: 64,
  /** Default of `maxIterations` of a loop (1.2). Failure `loop-limit`. */
  maxIterationsDefault: 10_000,
  /** A value up to this size stands in the journal as text; a larger one stays in its output file. */
  inlineValueBytesMax: 16_384,
  /** Of a command's newest output, what is read at once for a screen. */
  liveBytes: 65_536,
  /** Growth of a command's output is told at most this often. */
  growthEveryMs: 10,
  /** A path of a local socket; some systems take 104 bytes. Longer ones are reached by the number of their folder. */
  socketPathBytesMax: 100,
  /** What a runner of this boot left that ended unseen is kept for so long. */
  deadRunnerKeptMs: 30 * 86_400_000,
  /** A runner that lives and does not answer is ended after this. */
  runnerAnswerMs: 10_000,
  /** After so many commands a runner collects what they left: pipes and processes that V8 by itself lets lie for long. */
  runnerCollectEvery: 500,
  /** Output files of one run whose shown part is remembered. */
  liveFilesRemembered: 1_000,
  /** References in one script (4.1). Refused as `template-too-many`. */
  templateReferencesMax: 2_000,
  /** Scripts inside scripts (`sh -c 'eval …'`) that are read for uses of a variable; deeper ones are not. */
  innerScriptsDeepMax: 3,
  /** One exported value (4.1): one argument or variable is limited to 131,071 bytes by the system. */
  exportedValueBytesMax: 120_000,
  /** All exported values of one command together (4.1). */
  exportedTotalBytesMax: 1_000_000,
  /** Default of `limits.outputBytes`: a command that prints more is ended (3.2). */
  outputBytesMax: 10_000_000_000,
  /** Time for one expression (1.4). Failure `expression-timeout`. */
  expressionTimeoutMs: 2_000,
  /** Call depth of one expression (1.4). Failure `expression-depth`. */
  expressionDepthMax: 256,
  /** Input of one expression: values that are parsed as JSON (1.4). Failure `expression-input-too-large`. */
  expressionInputBytesMax: 64_000_000,
  /** Result of one expression, as JSON. Failure `expression-result-too-large`. */
  expressionResultBytesMax: 64_000_000,
  /** Elements of one sequence inside an expression, `[1..1e7]` for one. Failure `expression-limit`. */
  expressionSequenceMax: 5_000_000,
  /** Memory of one process that evaluates expressions. Failure `expression-memory`. */
  expressionMemoryMegabytesMax: 1_024,
  /** Processes that evaluate expressions, kept warm. */
  expressionProcessesMax: 2,
  /** Until such a process answers for the first time. Failure `expression-process`. */
  expressionStartTimeoutMs: 15_000,
  /** One try of an input's `pattern`, and all tries for one document or one set of inputs. Error `bad-input`. */
  patternMs: 250,
  patternsTotalMs: 1_000,
  /** Text of one expression. */
  expressionCharsMax: 10_000,
  /** The longest duration that may be written (1.5). */
  durationMsMax: 3_650 * 86_400_000,
  /** Default of `killGrace`: between SIGTERM and SIGKILL (1.2). */
  killGraceMs: 5_000,
  /** How long what a command left in the background may end by itself, once the command has ended (3.2). */
  leftoverGraceMs: 250,
  /** How long output is waited for after everything that could write it has ended. */
  drainMs: 1_000,
  /** Larger outputs are recorded without a checksum: it would take as long as writing them. */
  hashedBytesMax: 16_777_216,
  /** So many bytes of values in files are checked against their checksums when a run goes on, or another goes by it. */
  valuesCheckedBytesMax: 268_435_456,
  /** Last bytes of stderr kept for a failure's explanation. */
  stderrTailBytes: 4_096,
  /** `curlew doctor`: how long a program may take to tell its version. */
  doctorProgramMs: 2_000,
  /** Below it the room for the home is noted, and is wrong; and the number of files that it still takes. */
  doctorDiskFreeLow: 1_000_000_000,
  doctorDiskFreeWrong: 100_000_000,
  doctorFilesFreeLow: 1_000,
  /** How far in the future the history may have been written. */
  doctorClockAheadMs: 5 * 60_000,
  /** Without `--store`, a history of more runs is not read record by record. */
  doctorRunsChecked: 500,
  /** Of a line that says why a command failed, and of a host or program named in it: what is told. The rest is cut. */
  evidenceCharsMax: 300,
  evidenceNameCharsMax: 100,
  /** Of a value or of standard input in an approval: what is shown, and what is shown inside the program. The rest is counted. */
  approvalValueCharsMax: 2_000,
  approvalInlineCharsMax: 200,
  /** Of a prompt for a model. */
  approvalPromptCharsMax: 20_000,
  /** Characters that are masked before the beginning is shown: no secret that reaches across the cut stays readable. */
  approvalMaskedCharsMax: 1_000_000,
  /** A program that is itself a value: a person must be able to read all of it. Failure `program-too-long`. */
  wholeProgramBytesMax: 16_384,
  /** Changes named when an approval is asked once more. */
  changesShown: 5,
  /** How often a subflow's run that another process is at work on is asked for again. */
  childRetryMs: 200,
  /** How long one write waits for another process that is writing. Error `store-busy`. */
  storeBusyMs: 10_000,
  /** Lines of a listener on record whose pass has not begun (3.7); the rest waits in its output file. */
  linesAheadMax: 100,
  /** Bytes of a listener's output read at once. */
  lineChunkBytes: 262_144,
  /** One line of a listener. Failure `line-too-long`. */
  lineBytesMax: 64_000_000,
  /** Events read into memory at once when a journal is gone through. */
  journalPageEvents: 1_000,
  /** Runs on one page of the history, and the most that may be asked for. */
  runsListedDefault: 50,
  runsListedMax: 1_000,
  /** Items on one page of a list of the API that is whole where no `limit` is asked for. */
  pageItemsMax: 1_000,
  /** Of an output: what is answered at once as lines, the characters shown of one line, and what is counted while an answer waits. */
  linesAtOnce: 20_000,
  linesBytesMax: 5_000_000,
  lineShownChars: 10_000,
  linesCountedBytes: 32_000_000,
  /** A look for lines that match: its time, what is looked at of one line, and how many are found at once. */
  searchMs: 1_500,
  lineSearchedBytes: 1_000_000,
  matchesMax: 1_000,
  /** How long a command waits for the running server to answer. */
  serverAnswerMs: 10_000,
  /** How long a start's key is kept, and how long it may be. */
  startKeyMs: 7 * 86_400_000,
  startKeyCharsMax: 200,
  /** How long a start may be asked to wait for its run. */
  waitMsMax: 600_000,
  /** Events of one run that are answered at once. */
  eventsListedMax: 10_000,
  /** How long the server leaves a run to whoever has answered at a terminal, and how often it tries to take one up that is being answered. */
  takeOverMs: 1_000,
  claimRetryMs: 100,
  claimTries: 20,
  /** How often the server tries to go on with a run that stopped because nothing more could be recorded (a full disk). */
  storeTriesMs: 5_000,
  /** How often the server looks whether another process has written to the store, and how often it tells what its own engine writes. */
  followEveryMs: 20,
  /** When no other process has written for so long its log is watched, and it looks this often; where it cannot be, that often. */
  followQuietMs: 2_000,
  followRestMs: 5_000,
  followSeldomMs: 100,
  /** And as often as while others write for so long after its log was touched. */
  followTouchedMs: 200,
  tellEveryMs: 8,
  /** Newest output of a command is told this often, and of what came meanwhile so much at the most: the end. */
  tellOutputEveryMs: 50,
  outputToldChars: 16_384,
  /** Of an event stream: what is made ahead of its reader, what is kept for one that takes nothing before it is let go, and its heartbeat. */
  streamAheadBytes: 65_536,
  streamBytesMax: 2_000_000,
  streamHeartbeatMs: 4_000,
  /** Lines of a program, a value or a difference that are shown where a person is asked about it; the rest is counted. */
  cardLinesMax: 200,
  /** Lines of a difference that are given as JSON. */
  changedLinesMax: 2_000,
  /** Entries of the audit log given at once. */
  auditListedMax: 10_000,
  /** Nodes named in one entry of the audit log; the rest is counted. */
  auditNamesMax: 100,
  /** Runs that leave by themselves after one run has ended, when config.yaml says how long they are kept; the rest leaves after the next. */
  runsLeavingAtOnce: 200,
  /** Runs that `runs resume --all` goes on with at the same time. */
  runsResumedAtOnce: 8,
  /** Matches named in `run-ambiguous`. */
  ambiguousRunsShown: 10,
  /** Bytes read at once from an output file, and the most that one range or tail gives. */
  outputChunkBytes: 65_536,
  outputRangeBytesMax: 16_777_216,
  /** The least that can be called a secret (4.2): masking less would mask ordinary words. */
  secretBytesMin: 6,
  /** One secret's value (4.2): more could not be masked in every form. Failures `secret-unusable`, `secret-too-large`. */
  secretBytesMax: 65_536,
  /** All secrets of the local store together, before they are encrypted. Failure `secret-store-full`. */
  secretStoreBytesMax: 16_000_000,
  /** A `.env` beside a workflow, and config.yaml in the home. */
  secretFileBytesMax: 1_000_000,
  /** Default of `timeout` of a command that prints a secret; a person may have to unlock something. Failure `secret-source-failed`. */
  secretCommandTimeoutMs: 60_000,
  /** What such a command said on stderr, shown when it fails. */
  secretCommandStderrChars: 600,
  /** How long the desktop keyring may take; it may ask a person for a password. */
  keyringTimeoutMs: 60_000,
  /** A token is renewed so long before it ends, or a quarter of its time when that is less (3.6). */
  tokenAheadMs: 60_000,
  /** A token whose end nobody told is asked for anew after this, where that takes no person. */
  tokenUntoldMs: 600_000,
  /** A token that was given so much later than now: the clock was set back, and nothing it says of time counts. */
  tokenClockSlackMs: 5_000,
  /** One request to a token endpoint, its answer included. Failure `auth-unreachable`. */
  tokenRequestMs: 30_000,
  tokenAnswerBytesMax: 1_000_000,
  /** How long another process may be at work on the same token, and how often it is looked. Failure `auth-busy`. */
  tokenBusyMs: 120_000,
  tokenBusyPollMs: 20,
  /** While a command runs, its token is renewed at most so often; after a failure it is tried again so much later. */
  tokenRenewalLeastMs: 100,
  tokenRenewalAgainMs: 5_000,
  /** A refresh token that the server does not take is not shown to it again for so long, by no process of the home. */
  tokenRefusedMs: 30_000,
  /** No time that a token endpoint says is longer. */
  tokenSecondsMax: 1_000_000_000,
  /** What a token endpoint says of an error, of which so much is shown. */
  tokenErrorChars: 300,
  /** How long a browser may take to come back after a person was sent to sign in. Failure `auth-login-timeout`. */
  loginMs: 600_000,
  /** Seconds between two questions of a device login when the server says nothing (RFC 8628). */
  deviceIntervalSeconds: 5,
  /** While the server is away these grow to so many, unless it said more itself. */
  deviceAwaySeconds: 60,
  /** Strings of one JSON value that are secrets (4.2). Failure `secret-too-large`. */
  secretPartsMax: 1_000,
  /** Sealed values of a run that are remembered, so that the same bytes are sealed once. */
  sealedValuesRemembered: 1_000,
  /** What a command may print when a secret Variable takes it. Failure `secret-too-large`. */
  secretOutputBytesMax: 1_000_000,
  /** stderr of such a command, which is held back until the secret is known; of more, the end is kept. */
  secretStderrBytesMax: 1_000_000,
  /** States of a masker with a whole row of answers (1 KiB each); the others cost some 25 bytes. */
  maskerRowStates: 512,
  /** The request to the way out of `egress: { allow }`: its size, and how long it may take to come. */
  egressHeadBytesMax: 16_384,
  egressHeadMs: 30_000,
  /** Connections to it that have not said yet whose they are, and those of one attempt, at a time. */
  egressStrangersMax: 256,
  egressSocketsMax: 1_024,
  /** How long it waits for whoever was refused to hang up. */
  egressLingerMs: 1_000,
  /** The first message of TLS through it. */
  egressHelloBytesMax: 65_536,
  /** Calls of one attempt that are told; later ones are made and not told. */
  egressCallsMax: 200,
  /** Trusted commands that are listed. */
  trustListedMax: 10_000,
  /** Commands of one workflow, its subflows' counted at each place that names them, that are looked at for trust in advance. */
  trustCommandsMax: 5_000,
  /** A document that is imported from an address: how many redirects are followed, and how long all of it may take. */
  importRedirectsMax: 5,
  importMs: 30_000,
  /** The largest file that is synced before the event that names it as a value; syncing gigabytes would take longer than the command. */
  valueSyncBytesMax: 64_000_000,
  /** How often a node with `onLost: retry` and no `retry` is tried in all. Then it fails with `attempt-lost`. */
  attemptsLostMax: 10,
  /** A listener that was lost more than once is started again after so long. */
  listenerAgainMs: 1_000,
  /** How often who waits looks at the clock: so late is it noticed that it was set ahead, or that the machine slept. */
  clockLookMs: 20_000,
  /** How often a process looks whether others have left room in a budget that it waits for: so late is it told, at the most. */
  budgetPollMs: 1_000,
  /** Who does not take what is its turn for so long is passed over until it does. */
  budgetTurnMs: 3_000,
  /** Nodes at a time, and starts in a time, that one budget may allow. */
  budgetMost: 100_000,
  /** One answer of a language model. Failure `llm-answer-too-long`. */
  llmAnswerBytesMax: 16_000_000,
  /** How often an answer that does not fit its schema is given back (1.2). Failure `llm-schema-mismatch`. */
  llmRepairsMax: 2,
  /** The longest wait that a timer of Node.js can do; a longer time limit of a model's answer is none. */
  timerMsMax: 2_147_483_647,
  /** A value of more bytes is not kept in the cache. */
  cacheValueBytesMax: 64_000_000,
  /** All values of the cache together; beyond it the oldest go. */
  cacheBytesMax: 1_000_000_000,
  /** HTTP calls of one attempt that are told (of more, the first and the last), of each its headers and their sizes. */
  httpCallsMax: 500,
  httpHeadersMax: 60,
  httpHeaderCharsMax: 1_000,
  httpUrlCharsMax: 4_000,
  /** What one client process may report; of more nothing is read. */
  httpReportBytesMax: 16_000_000,
  /** Of a signed webhook: how far its time may be from ours, and how many signatures it may carry. Failures `webhook-too-old`, `-too-new`. */
  webhookToleranceMs: 300_000,
  webhookSignaturesMax: 20,
  /** A delivery to a hook (4.3): its body, and how long it may take to come. Answered 413 and 408. */
  hookBodyBytesMax: 1_000_000,
  hookReadMs: 5_000,
  hookConnectionsMax: 256,
  /** Deliveries of one hook in a second, verified ones; so many may come at once, and so many may wait to be started. Answered 429. */
  hookPerSecond: 10,
  hookBurst: 100,
  hookQueuedMax: 100,
  /** Requests to one hook in a second before they are verified. Answered 429. */
  hookTriesPerSecond: 100,
  /** How long a hook's secret is not asked for again, and when a delivery did not fit it. */
  hookSecretMs: 60_000,
  hookSecretAgainMs: 5_000,
  /** Of a delivery's id, its headers and one of them: what is kept. */
  deliveryIdCharsMax: 200,
  deliveryHeadersMax: 60,
  deliveryHeaderCharsMax: 1_000,
  /** The inbox: deliveries that are kept with their body; how long one is known; and how many refused and repeated ones are. */
  deliveriesKept: 10_000,
  deliveriesKeptMs: 30 * 86_400_000,
  deliveriesRefusedKept: 500,
  deliveriesListedDefault: 50,
  deliveriesListedMax: 500,
  /** Runs that were removed, of which open pages are told. */
  removedRunsKept: 1_000,
  /** How many of the newest a command line looks through for the beginning of an id. */
  deliveriesNamedMax: 2_000,
  /** `catchUp: all`, and `overlap: queue`: starts of one schedule that may be made up for, or wait. The newest count. */
  catchUpMax: 100,
  /** `catchUp: none`: a time that is passed by so much is still taken, so that a restart at the wrong moment loses none. */
  scheduleLateMs: 30_000,
  /** Runs of one hook or file watch that are worked on at the same time; further ones wait in the order in which they came. */
  triggerRunsAtOnce: 16,
  /** After the store did not answer, schedules and starts are looked at again. */
  triggerAgainMs: 2_000,
  /** Times of a schedule that are told ahead. */
  nextTimesShown: 5,
  /** How often it is looked whether an imported workflow has been seen meanwhile, and old records of triggers leave. */
  triggerLookMs: 20_000,
  triggerTidyMs: 3_600_000,
  /** What is known of a trigger that no document has any more. */
  triggersKeptMs: 90 * 86_400_000,
  /** How often what a document says of triggers is written down again, though it is the same. */
  triggersSaidMs: 86_400_000,
  /** Starts of triggers on record that are over. */
  triggerStartsKept: 10_000,
  /** A watched file is complete when it has not grown for so long. */
  watchQuietMs: 200,
  /** Files that one watch looks at; beyond it the watch is refused. */
  watchedFilesMax: 20_000,
  /** `curlew http`: a body that can be sent again; beyond it, what comes from stdin is sent as it comes. Error `cannot-send-again`. */
  httpHeldBytesMax: 16_000_000,
  /** One answer that is looked into: a page, GraphQL. Error `too-large`. */
  httpPageBytesMax: 64_000_000,
  /** Pages without --max-pages. Error `too-many-pages`. */
  httpPagesMax: 1_000,
  /** What a server says of an error while items are printed: cut, on stderr. */
  httpErrorBytesMax: 4_000,
  /** Redirects without --max-redirs. Error `redirects`. */
  httpRedirectsMax: 10,
  /** Connecting without --connect-timeout, and a server that says nothing at all. Error `timeout`. */
  httpConnectMs: 30_000,
  httpIdleMs: 300_000,
  /** A request to the server: its body, how deep its JSON is nested, its headers, how long these and all of it may take to come, and how many come at once. */
  bodyBytesMax: 10_000_000,
  bodyDepthMax: 64,
  serverHeaderBytesMax: 16_384,
  serverHeadersMs: 10_000,
  serverRequestMs: 60_000,
  serverConnectionsMax: 256,
  /** Who is answered before they have sent everything may send so much more, for so long; it is let go of. */
  serverUnheardBytesMax: 64_000_000,
  serverUnheardMs: 5_000,
  /** The editor's port when none is named, and how many behind it are tried; the first port tried for hooks. */
  serverPortDefault: 4_780,
  serverPortsTried: 20,
  /** Of the sample API that a demo starts; its https port is the next one. */
  sampleApiPortDefault: 4_790,
  hooksPortDefault: 4_880,
  /** A login link is good for so long, so many at once; sessions beyond so many end the oldest. */
  loginCodeMs: 10 * 60_000,
  loginCodesMax: 20,
  sessionsMax: 200,
  /** A code for a download is taken by the page that asked for it, at once. */
  downloadCodeMs: 60_000,
  downloadCodesMax: 100,
  /** So many failed logins in so long, and nobody logs in until the first of them is that old. */
  loginFailuresMax: 10,
  loginFailuresMs: 60_000,
  /** What happened before anybody asked for figures: beyond so much it is counted at once. */
  figuresKept: 5_000,
  /** Attempts of one run that are sent as spans of its trace; of more, the first. */
  tracedSpansMax: 10_000,
  /** Runs that wait to be sent as traces; of more, the newest. */
  tracesWaitingMax: 1_000,
  /** How long a server that closes waits for answers under way. */
  serverCloseMs: 2_000,
  /** A log of the server that is larger is put aside when the server starts; the one before it goes. */
  logBytesMax: 10_000_000,
  /** The served folder: how deep it is looked into, how many folders and entries are looked at, how many workflow files are listed. */
  servedDepthMax: 8,
  servedFoldersMax: 2_000,
  servedEntriesMax: 20_000,
  servedFilesMax: 2_000,
  /** A path of a document, and one name in it. */
  servedPathCharsMax: 1_024,
  fileNameBytesMax: 255,
  /** What a writer that was killed has left beside a document is removed when it is so old. */
  writeLeftMs: 60_000,
  /** A change of the folder is told when nothing more has happened to that file for so long. */
  watchSettleMs: 40,
  /** How often it is looked whether another folder stands in the place of the served one. */
  servedLookMs: 5_000,
  /** The editor's steps of undo together, in characters; beyond it the oldest go. They are kept in the tab's sessionStorage. */
  undoCharsMax: 1_500_000,
  /** Changes of the same field that follow each other within so long are one step of undo. */
  undoJoinMs: 1_000,
  /** Runs of a workflow shown in the list of workflows. */
  recentRunsShown: 20,
  /** The test of a model provider: how long it may take, what is read of its answer, and how many models are named. */
  providerTestMs: 10_000,
  providerAnswerBytesMax: 1_000_000,
  providerModelsShown: 50,
  /** Folders of documents for which a secret's sources are tried in one test. */
  secretFoldersTested: 20,
} as const;
