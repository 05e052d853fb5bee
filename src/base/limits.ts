// limits: every limit of Curlew in one place (spec 1.1, 1.2, 3.2). Units are in the names.

export const limits = {
  /** A workflow file (1.1). Diagnostic `document-too-large`. */
  documentBytesMax: 5_000_000,
  /** A file of values: `--input-file`, `--env-file`. Error `cannot-read`. */
  inputFileBytesMax: 64_000_000,
  /**
   * After a decision: how long another process's claim of the run may be a brief check, before the command gives up
   * (3.5).
   */
  answerLookMs: 500,
  /** Nodes of one workflow (1.1). Diagnostic `too-many-nodes`. */
  nodesMax: 20_000,
  /** Edges of one workflow, chains counted edge by edge (1.1). Diagnostic `too-many-edges`. */
  edgesMax: 100_000,
  /** A coordinate of `layout`, positive or negative. Diagnostic `out-of-range`. */
  layoutMax: 1_000_000,
  /** YAML alias expansions in one workflow (1.1). Diagnostic `too-many-aliases`. */
  aliasesMax: 1_000,
  /** Values of one workflow after alias expansion. Diagnostic `too-many-aliases`. */
  expandedNodesMax: 2_000_000,
  /** Nesting of objects and lists in one workflow (1.1). Diagnostic `nested-too-deeply`. */
  nestingMax: 64,
  /** Nested loops of one workflow. Diagnostic `loops-too-deep`. */
  loopDepthMax: 64,
  /** Diagnostics reported for one workflow; the rest are counted. */
  diagnosticsMax: 100,
  /** Bytes of a failed command's output that are read for `${failure.body.member}`. */
  failureBodyBytes: 262_144,
  /** Bytes of it that `${failure.body}` and messages show. */
  failureTextBytes: 4_096,
  /** Runs in a row that an ended run starts (8.3). */
  runChainMax: 8,
  /** How far back the ends of runs are read again, in case one was committed late. */
  runEndsAgainMs: 60_000,
  /** Findings collected for one part (a node, a field) of a workflow; no one reads more. */
  shapeFindingsMax: 500,
  /** Nested subflows. Diagnostic `subflow-too-deep`. */
  subflowDepthMax: 16,
  /** Names in the `state` of a workflow. Diagnostic `too-many-state-names`. */
  stateNamesMax: 100,
  /** A value of `state`. Failure `state-too-large`. */
  stateValueBytesMax: 16_384,
  /** Length of a node id (1.1). */
  idCharsMax: 64,
  /** Default of `maxIterations` of a loop (1.2). Failure `loop-limit`. */
  maxIterationsDefault: 10_000,
  /** A value up to this size is stored in the journal; a larger one stays in its output file. */
  inlineValueBytesMax: 16_384,
  /** Bytes of a command's newest output that are read at once for display. */
  liveBytes: 65_536,
  /** Minimum time between two reports that a command's output has grown. */
  growthEveryMs: 10,
  /**
   * Path length of a local socket; some systems allow 104 bytes. Longer paths are opened through a descriptor of their
   * folder.
   */
  socketPathBytesMax: 100,
  /** How long the files of a dead runner process of this boot are kept. */
  deadRunnerKeptMs: 30 * 86_400_000,
  /** Range of a lease. A shorter one would end commands because of one slow answer. */
  leaseMsMin: 3_000,
  leaseMsMax: 600_000,
  /** How often a machine of a cluster looks at the others, at most. */
  machineLookMs: 500,
  /** How often a machine asks a queue when no message comes, and looks for recorded runs that are in no queue. */
  queueLookMs: 1_000,
  labelQueueLookMs: 2_000,
  queueSweepMs: 30_000,
  /** When a machine that drains offers a run again. */
  queueAgainMs: 1_000,
  /** How long a decision waits for the machine that drives its run, and how often it looks. */
  ownerAnswerMs: 5_000,
  ownerLookMs: 50,
  /** How often a runner process looks whether its machine's deadline has passed. */
  deadlineLookMs: 100,
  /** A runner process that is alive but does not respond is ended after this time. */
  runnerAnswerMs: 10_000,
  /**
   * Commands after which a runner process collects garbage: V8 alone keeps closed pipes and processes for a long time.
   */
  runnerCollectEvery: 500,
  /** Output files per run for which Curlew remembers how much it has shown. */
  liveFilesRemembered: 1_000,
  /** References in one script (4.1). Rejected as `template-too-many`. */
  templateReferencesMax: 2_000,
  /** Nested scripts (`sh -c 'eval …'`) that are searched for uses of a variable; deeper ones are not. */
  innerScriptsDeepMax: 3,
  /** One exported value (4.1): the system limits one argument or variable to 131,071 bytes. */
  exportedValueBytesMax: 120_000,
  /** All exported values of one command (4.1). */
  exportedTotalBytesMax: 1_000_000,
  /** Default of `limits.outputBytes`: a command that prints more is ended (3.2). */
  outputBytesMax: 10_000_000_000,
  /** Evaluation time of one expression (1.4). Failure `expression-timeout`. */
  expressionTimeoutMs: 2_000,
  /** Call depth of one expression (1.4). Failure `expression-depth`. */
  expressionDepthMax: 256,
  /** Input of one expression: values that are parsed as JSON (1.4). Failure `expression-input-too-large`. */
  expressionInputBytesMax: 64_000_000,
  /** Result of one expression, as JSON. Failure `expression-result-too-large`. */
  expressionResultBytesMax: 64_000_000,
  /** Elements of one sequence in an expression, such as `[1..1e7]`. Failure `expression-limit`. */
  expressionSequenceMax: 5_000_000,
  /** Memory of one process that evaluates expressions. Failure `expression-memory`. */
  expressionMemoryMegabytesMax: 1_024,
  /** Processes that evaluate expressions, kept running for later use. */
  expressionProcessesMax: 2,
  /** Time until such a process responds for the first time. Failure `expression-process`. */
  expressionStartTimeoutMs: 15_000,
  /** One match of an input's `pattern`, and all matches for one workflow or one set of inputs. Error `bad-input`. */
  patternMs: 250,
  patternsTotalMs: 1_000,
  /** Length of one expression. */
  expressionCharsMax: 10_000,
  /** The longest duration (1.5). */
  durationMsMax: 3_650 * 86_400_000,
  /** Default of `killGrace`: between SIGTERM and SIGKILL (1.2). */
  killGraceMs: 5_000,
  /** How long background processes may continue after their command has ended (3.2). */
  leftoverGraceMs: 250,
  /** How long to wait for output after all its writers have ended. */
  drainMs: 1_000,
  /** Larger outputs are recorded without a checksum, which would take as long as writing them. */
  hashedBytesMax: 16_777_216,
  /** Bytes of values in files that are verified when a run is resumed or reused; the newest first. */
  valuesCheckedBytesMax: 268_435_456,
  /** Last bytes of stderr kept to explain a failure. */
  stderrTailBytes: 4_096,
  /** `curlew doctor`: how long a program may take to print its version. */
  doctorProgramMs: 2_000,
  /** How long git may take to read a committed document. */
  gitReadMs: 5_000,
  /**
   * Free bytes of the data directory's disk below which doctor notes a problem or reports an error. Free files (inodes)
   * below which it reports an error.
   */
  doctorDiskFreeLow: 1_000_000_000,
  doctorDiskFreeWrong: 100_000_000,
  doctorFilesFreeLow: 1_000,
  /** Runs up to which doctor reads every record without `--store`. */
  doctorRunsChecked: 500,
  /** Characters kept of a line that explains a failure, and of a host or program name in it. */
  evidenceCharsMax: 300,
  evidenceNameCharsMax: 100,
  /**
   * Characters shown of a value or standard input in an approval, on its own and inside the program. The rest is
   * counted.
   */
  approvalValueCharsMax: 2_000,
  approvalInlineCharsMax: 200,
  /** Characters shown of a prompt for a model. */
  approvalPromptCharsMax: 20_000,
  /** Characters masked before the text is cut, so that no part of a secret at the cut stays readable. */
  approvalMaskedCharsMax: 1_000_000,
  /** A program that is itself a value: the approver must be able to read all of it. Failure `program-too-long`. */
  wholeProgramBytesMax: 16_384,
  /** Changes named when approval is requested once more. */
  changesShown: 5,
  /** How often Curlew retries to take over a subflow's run that another process works on. */
  childRetryMs: 200,
  childRetryMaxMs: 1_000,
  /** How long one write waits for another process that is writing. Error `store-busy`. */
  storeBusyMs: 10_000,
  /** The oldest PostgreSQL of a cluster. */
  postgresVersionMin: 14,
  /** How long a question waits for a database that can't be reached. Error `store-unreachable`. */
  databaseWaitMs: 10_000,
  /** How long one attempt to connect to a database takes. */
  databaseConnectMs: 5_000,
  /** After this time without an answer, the connection counts as lost. */
  databaseAnswerMs: 15_000,
  /** How long a transaction may do nothing while it holds a lock that others wait for. */
  databaseIdleMs: 5_000,
  /** Connections of one process to a database. */
  databaseConnectionsMax: 6,
  /** The archive of a cluster: its parts, the largest file that it takes, and all files together. */
  archiveChunkBytes: 1_000_000,
  archiveFileBytesMax: 64_000_000,
  archiveBytesMax: 20_000_000_000,
  /** Events that one transaction of a database records. */
  eventsPerCommitMax: 65_536,
  /** Recorded lines of a listener that wait for their iteration (3.7); the rest waits in its output file. */
  linesAheadMax: 100,
  /** Bytes of a listener's output read at once. */
  lineChunkBytes: 262_144,
  /** One line of a listener. Failure `line-too-long`. */
  lineBytesMax: 64_000_000,
  /** Events of a journal read into memory at once. */
  journalPageEvents: 1_000,
  /** Runs on one page of the run history: the default and the maximum. */
  runsListedDefault: 50,
  runsListedMax: 1_000,
  /** Slices of time in the counts of runs: the default and the maximum. */
  runSlicesDefault: 24,
  runSlicesMax: 400,
  /** Items on one page of an API list. Without `limit`, the list is returned whole. */
  pageItemsMax: 1_000,
  /**
   * Output as lines: lines and bytes per response, characters shown of one line, and bytes counted while a request
   * waits.
   */
  linesAtOnce: 20_000,
  linesBytesMax: 5_000_000,
  lineShownChars: 10_000,
  linesCountedBytes: 32_000_000,
  /** Search in output: its time, bytes searched in one line, and matches per response. */
  searchMs: 1_500,
  lineSearchedBytes: 1_000_000,
  matchesMax: 1_000,
  /** How long a command waits for the server to respond. */
  serverAnswerMs: 10_000,
  /** How long the idempotency key of a start is kept, and its length. */
  startKeyMs: 7 * 86_400_000,
  startKeyCharsMax: 200,
  /** How long a start request may wait for its run. */
  waitMsMax: 600_000,
  /** Events of one run per response. */
  eventsListedMax: 10_000,
  /**
   * How long the server leaves a run to the terminal that decided its approval, and how often it retries to claim such
   * a run.
   */
  takeOverMs: 1_000,
  claimRetryMs: 100,
  claimTries: 20,
  /** How often the server retries to resume a run that stopped because recording failed (a full disk). */
  storeTriesMs: 5_000,
  /** How often the server looks for runs whose process has ended without releasing them. */
  interruptedLookMs: 5_000,
  /** A loop variable's value in the message of a failure. */
  loopValueCharsMax: 40,
  /** How often the server looks for writes of other processes to the store. */
  followEveryMs: 100,
  /** The same on a cluster, where the database also tells that something was written. */
  followOthersEveryMs: 2_000,
  /** Minimum time between reports of the server's own writes. */
  tellEveryMs: 8,
  /** How often the newest output is sent to readers, and how many of its last characters. */
  tellOutputEveryMs: 50,
  outputToldChars: 16_384,
  /**
   * Event stream: bytes prepared ahead of the reader, bytes queued before a stalled reader is disconnected, and the
   * heartbeat.
   */
  streamAheadBytes: 65_536,
  streamBytesMax: 2_000_000,
  streamHeartbeatMs: 4_000,
  /** Lines of a program, value or diff shown in an approval; the rest are counted. */
  cardLinesMax: 200,
  /** Lines of a diff given as JSON. */
  changedLinesMax: 2_000,
  /** Entries of the audit log per response. */
  auditListedMax: 10_000,
  /** Nodes named in one entry of the audit log; the rest are counted. */
  auditNamesMax: 100,
  /**
   * Runs removed at once after a run has ended, if config.yaml limits how long they are kept. The rest follow after the
   * next run.
   */
  runsLeavingAtOnce: 200,
  /** Interrupted runs that a server resumes in parallel when it starts. */
  runsResumedAtOnce: 8,
  /** Matches named in `run-ambiguous`. */
  ambiguousRunsShown: 10,
  /** Bytes read at once from an output file, and the most that one range or tail returns. */
  outputChunkBytes: 65_536,
  outputRangeBytesMax: 16_777_216,
  /** The shortest secret (4.2): masking shorter ones would mask ordinary words. */
  secretBytesMin: 6,
  /**
   * One secret's value (4.2): larger ones can't be masked in every encoding. Failures `secret-unusable`,
   * `secret-too-large`.
   */
  secretBytesMax: 65_536,
  /** All secrets of the local store together, before encryption. Failure `secret-store-full`. */
  secretStoreBytesMax: 16_000_000,
  /** A `.env` file next to a workflow, and config.yaml in the data directory. */
  secretFileBytesMax: 1_000_000,
  /**
   * Default of `timeout` of a command that prints a secret; the user may have to unlock something. Failure
   * `secret-source-failed`.
   */
  secretCommandTimeoutMs: 60_000,
  /** Characters of that command's stderr shown when it fails. */
  secretCommandStderrChars: 600,
  /** How long the desktop keyring may take; it may ask the user for a password. */
  keyringTimeoutMs: 60_000,
  /** How long before its end a token is renewed, or a quarter of its lifetime if that is less (3.6). */
  tokenAheadMs: 60_000,
  /** After this time, a token without a known end is requested again, if that needs no user. */
  tokenUntoldMs: 600_000,
  /** A token dated further in the future than this: the clock was set back, so none of its times count. */
  tokenClockSlackMs: 5_000,
  /** One request to a token endpoint, with its response. Failure `auth-unreachable`. */
  tokenRequestMs: 30_000,
  tokenAnswerBytesMax: 1_000_000,
  /** How long to wait for another process that works on the same token, and how often to check. Failure `auth-busy`. */
  tokenBusyMs: 120_000,
  tokenBusyPollMs: 5,
  /** Minimum time between renewals of a token while a command runs, and the delay after a failed one. */
  tokenRenewalLeastMs: 100,
  tokenRenewalAgainMs: 5_000,
  /** How long a refresh token that the server rejected is not sent again, by any process of the data directory. */
  tokenRefusedMs: 30_000,
  /** Longer lifetimes from a token endpoint are cut to this. */
  tokenSecondsMax: 1_000_000_000,
  /** Characters shown of a token endpoint's error. */
  tokenErrorChars: 300,
  /** How long a user may take to sign in with the browser. Failure `auth-login-timeout`. */
  loginMs: 600_000,
  /** Seconds between polls of a device login if the server does not say (RFC 8628). */
  deviceIntervalSeconds: 5,
  /** While the server is unreachable, the interval doubles up to this, unless the server asked for more. */
  deviceAwaySeconds: 60,
  /** Secret strings in one JSON value (4.2). Failure `secret-too-large`. */
  secretPartsMax: 1_000,
  /** Sealed values remembered per run, so that the same bytes are sealed once. */
  sealedValuesRemembered: 1_000,
  /** Output of a command whose secret Variable takes it. Failure `secret-too-large`. */
  secretOutputBytesMax: 1_000_000,
  /** stderr of such a command, which is held back until the secret is known. Only its end is kept. */
  secretStderrBytesMax: 1_000_000,
  /** States of a masker with a full transition table (1 KiB each); the others take about 25 bytes. */
  maskerRowStates: 512,
  /** The request to the network proxy of `egress: { allow }`: its size, and how long it may take to arrive. */
  egressHeadBytesMax: 16_384,
  egressHeadMs: 30_000,
  /** Open proxy connections that have not identified their attempt, and open connections per attempt. */
  egressStrangersMax: 256,
  egressSocketsMax: 1_024,
  /** How long the proxy waits for a rejected client to close the connection. */
  egressLingerMs: 1_000,
  /** The first TLS message through the proxy. */
  egressHelloBytesMax: 65_536,
  /** Recorded proxy calls per attempt; later calls work but are not recorded. */
  egressCallsMax: 200,
  /** Trusted commands that are listed. */
  trustListedMax: 10_000,
  /** Commands of one workflow checked for trust in advance. A subflow counts once per node that names it. */
  trustCommandsMax: 5_000,
  /**
   * The largest value file that is synced before the event that names it. Syncing gigabytes would take longer than the
   * command.
   */
  valueSyncBytesMax: 64_000_000,
  /** Total attempts of a node with `onLost: retry` and no `retry`. Then it fails with `attempt-lost`. */
  attemptsLostMax: 10,
  /** Delay before a listener that was lost more than once is started again. */
  listenerAgainMs: 1_000,
  /** How often a timer checks the clock, to notice that it was set forward or that the machine slept. */
  clockLookMs: 20_000,
  /** How often a process checks a budget that it waits for. */
  budgetPollMs: 1_000,
  /** A waiter that does not take its turn for this long is passed over until it does. */
  budgetTurnMs: 3_000,
  /** Parallel nodes, and starts per period, that one budget may allow. */
  budgetMost: 100_000,
  /** One response of a language model. Failure `llm-answer-too-long`. */
  llmAnswerBytesMax: 16_000_000,
  /** How often the model may correct a response that does not match the schema (1.2). Failure `llm-schema-mismatch`. */
  llmRepairsMax: 2,
  /** The longest delay of a Node.js timer. A longer time limit of a model call has no effect. */
  timerMsMax: 2_147_483_647,
  /** Larger values are not cached. */
  cacheValueBytesMax: 64_000_000,
  /** All values of the cache together; beyond it the oldest are removed. */
  cacheBytesMax: 1_000_000_000,
  /**
   * Recorded HTTP calls per attempt (beyond it, the first and the last), headers per call, and characters of a header
   * and a URL.
   */
  httpCallsMax: 500,
  httpHeadersMax: 60,
  httpHeaderCharsMax: 1_000,
  httpUrlCharsMax: 4_000,
  /** The report of one client process; the rest is not read. */
  httpReportBytesMax: 16_000_000,
  /**
   * Signed webhooks: how far their time may be from the clock, and signatures per request. Failures `webhook-too-old`,
   * `-too-new`.
   */
  webhookToleranceMs: 300_000,
  webhookSignaturesMax: 20,
  /** A webhook delivery (4.3): its body, and the time to receive it. Returns 413 and 408. */
  hookBodyBytesMax: 1_000_000,
  hookReadMs: 5_000,
  /** Verified deliveries of one webhook: per second, in a burst, and waiting to start. Returns 429. */
  hookPerSecond: 10,
  hookBurst: 100,
  hookQueuedMax: 100,
  /** Requests to one webhook per second before verification. Returns 429. */
  hookTriesPerSecond: 100,
  /** How long a webhook's secret is cached, and how long after a delivery did not match it. */
  hookSecretMs: 60_000,
  hookSecretAgainMs: 5_000,
  /** Parts of a delivery that are kept: characters of its id, number of headers, characters of a header. */
  deliveryIdCharsMax: 200,
  deliveryHeadersMax: 60,
  deliveryHeaderCharsMax: 1_000,
  /** The inbox: deliveries kept with their body, for how long, rejected and repeated ones kept, and page sizes. */
  deliveriesKept: 10_000,
  deliveriesKeptMs: 30 * 86_400_000,
  deliveriesRefusedKept: 500,
  deliveriesListedDefault: 50,
  deliveriesListedMax: 500,
  /** Removed runs that are remembered, to notify open pages. */
  removedRunsKept: 1_000,
  /** `catchUp: all` and `overlap: queue`: starts of one schedule that are made up for or wait. The newest count. */
  catchUpMax: 100,
  /** `catchUp: none`: how late a start may still be, so that a restart at the wrong moment loses none. */
  scheduleLateMs: 30_000,
  /** Parallel runs of one webhook or file watch; further ones wait in order of arrival. */
  triggerRunsAtOnce: 16,
  /** Delay before schedules and starts are tried again after the store did not respond. */
  triggerAgainMs: 2_000,
  /** Next times of a schedule that are shown. */
  nextTimesShown: 5,
  /** How often to check whether imported workflows have been approved, and to remove old trigger records. */
  triggerLookMs: 20_000,
  triggerTidyMs: 3_600_000,
  /** How long the record of a trigger is kept after its workflow no longer has it. */
  triggersKeptMs: 90 * 86_400_000,
  /** How often the triggers of a workflow are recorded again although they have not changed. */
  triggersSaidMs: 86_400_000,
  /** Records of finished trigger starts that are kept. */
  triggerStartsKept: 10_000,
  /** A watched file is complete when it has not grown for this long. */
  watchQuietMs: 200,
  /** Files that one watch may cover; with more it is rejected. */
  watchedFilesMax: 20_000,
  /** `curlew http`: standard input, which is kept for sending it again. Error `body-too-large`. */
  httpHeldBytesMax: 16_000_000,
  /** A response that must be parsed: a page, GraphQL. Error `too-large`. */
  httpPageBytesMax: 64_000_000,
  /** Pages without --max-pages. Error `too-many-pages`. */
  httpPagesMax: 1_000,
  /** Bytes of an error response printed to stderr while items are printed. */
  httpErrorBytesMax: 4_000,
  /** Redirects of `curlew http`. Error `redirects`. */
  httpRedirectsMax: 10,
  /** Connecting without --connect-timeout, and a server that sends nothing. Error `timeout`. */
  httpConnectMs: 30_000,
  httpIdleMs: 300_000,
  /**
   * A request to the server: body, nesting of its JSON, size of headers, time for headers and for the whole request,
   * and open connections.
   */
  bodyBytesMax: 10_000_000,
  bodyDepthMax: 64,
  serverHeaderBytesMax: 16_384,
  serverHeadersMs: 10_000,
  serverRequestMs: 60_000,
  serverConnectionsMax: 256,
  /**
   * A client that gets its response before it has sent everything may send this much more for this long; then the
   * connection is closed.
   */
  serverUnheardBytesMax: 64_000_000,
  serverUnheardMs: 5_000,
  /** The web UI's default port, and how many ports after it are tried. */
  serverPortDefault: 4_780,
  serverPortsTried: 20,
  /** The first ports tried for the demo's sample API (https uses the next one) and for webhooks. */
  sampleApiPortDefault: 4_790,
  hooksPortDefault: 4_880,
  /** Sign-in links: their lifetime and number. More than sessionsMax sessions end the oldest. */
  loginCodeMs: 10 * 60_000,
  loginCodesMax: 20,
  sessionsMax: 200,
  /** Codes for downloads: their lifetime and number. The page uses one immediately. */
  downloadCodeMs: 60_000,
  downloadCodesMax: 100,
  /** After this many failed sign-ins within this time, no one can sign in until the oldest is older than that. */
  loginFailuresMax: 10,
  loginFailuresMs: 60_000,
  /** Events buffered before metrics are first requested; beyond it they are counted immediately. */
  figuresKept: 5_000,
  /** Attempts of one run that are sent as spans of its trace; beyond it, the first ones. */
  tracedSpansMax: 10_000,
  /** Runs waiting to be sent as traces; beyond it, the newest ones. */
  tracesWaitingMax: 1_000,
  /** How long a closing server waits for open requests. */
  serverCloseMs: 2_000,
  /** A larger server log is rotated when the server starts; one old log is kept. */
  logBytesMax: 10_000_000,
  /** The served folder: depth, folders and entries searched, and workflow files listed. */
  servedDepthMax: 8,
  servedFoldersMax: 2_000,
  servedEntriesMax: 20_000,
  servedFilesMax: 2_000,
  /** A path of a workflow file, and one name in it. */
  servedPathCharsMax: 1_024,
  fileNameBytesMax: 255,
  /** Temporary files of a killed writer next to a workflow file are removed at this age. */
  writeLeftMs: 60_000,
  /** A change in the folder is reported when the file has been quiet for this long. */
  watchSettleMs: 40,
  /** How often to check whether the served folder was replaced by another one. */
  servedLookMs: 5_000,
  /**
   * Undo steps of the editor together, in characters; beyond it the oldest are dropped. They are kept in the tab's
   * sessionStorage.
   */
  undoCharsMax: 1_500_000,
  /** Changes of the same field within this time are one undo step. */
  undoJoinMs: 1_000,
  /** Runs shown per workflow in the list of workflows. */
  recentRunsShown: 20,
  /** The test of a model provider: its time, bytes read of the response, and models named. */
  providerTestMs: 10_000,
  providerAnswerBytesMax: 1_000_000,
  providerModelsShown: 50,
  /** Folders of workflows whose sources of a secret are tried in one test. */
  secretFoldersTested: 20,
} as const;
