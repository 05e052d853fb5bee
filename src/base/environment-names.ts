// environment-names: the environment variables that run code or change how programs behave (spec 4.1).
//   N1. The checks of a workflow, the rewriting of shell text and the start of a command use the same list.
//   N2. Names are compared exactly: `path` and `env` are harmless, `PATH` and `ENV` are not.
// Not listed: names that only tell a program where to connect for its own data (PGHOST, AWS_PROFILE), GIT_AUTHOR_* and
// similar.

/** `*` matches any start or end of a name. */
const DANGEROUS_NAMES: readonly string[] = [
  // Shells.
  "BASH_ENV",
  "BASH_FUNC_*",
  "BASH_LOADABLES_PATH",
  "BASHOPTS",
  "SHELLOPTS",
  "PS4",
  "PROMPT_COMMAND",
  "ENV",
  "ZDOTDIR",
  "NULLCMD",
  "READNULLCMD",
  "IFS",
  "PATH",
  "Path",
  "PATHEXT",
  "COMSPEC",
  "ComSpec",
  "PSModulePath",
  "CDPATH",
  "FPATH",
  "MODULE_PATH",
  "SHELL",
  "GLOBIGNORE",
  "EXECIGNORE",
  // The dynamic loader and the C library.
  "LD_*",
  "DYLD_*",
  "GCONV_PATH",
  "GLIBC_TUNABLES",
  "LOCPATH",
  "NLSPATH",
  "HOSTALIASES",
  "LOCALDOMAIN",
  "RES_OPTIONS",
  "MALLOC_*",
  // Languages and their tools.
  "NODE_OPTIONS",
  "NODE_PATH",
  "NODE_REPL_EXTERNAL_MODULE",
  "NODE_TLS_REJECT_UNAUTHORIZED",
  "NODE_EXTRA_CA_CERTS",
  "npm_config_*",
  "NPM_CONFIG_*",
  "DENO_DIR",
  "PYTHON*",
  "PIP_*",
  "PERL*",
  "RUBY*",
  "GEM_*",
  "BUNDLE_*",
  "PHPRC",
  "PHP_INI_SCAN_DIR",
  "LUA_INIT*",
  "LUA_PATH*",
  "LUA_CPATH*",
  "JAVA_TOOL_OPTIONS",
  "_JAVA_OPTIONS",
  "JDK_JAVA_OPTIONS",
  "CLASSPATH",
  "MAVEN_OPTS",
  "GRADLE_OPTS",
  "GOFLAGS",
  "GOPROXY",
  "RUSTC_WRAPPER",
  "RUSTFLAGS",
  "CARGO_HOME",
  "MAKEFLAGS",
  "AWKPATH",
  "AWKLIBPATH",
  // Programs that commands call.
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_CONFIG*",
  "GIT_EXEC_PATH",
  "GIT_TEMPLATE_DIR",
  "GIT_ASKPASS",
  "GIT_PROXY_COMMAND",
  "GIT_EXTERNAL_DIFF",
  "GIT_PAGER",
  "GIT_EDITOR",
  "GIT_SEQUENCE_EDITOR",
  "GIT_SSL_*",
  "GIT_DIR",
  "SSH_ASKPASS",
  "SUDO_ASKPASS",
  "TAR_OPTIONS",
  "GREP_OPTIONS",
  "RSYNC_RSH",
  "OPENSSL_*",
  "SSL_CERT_*",
  "CURL_HOME",
  "CURL_CA_BUNDLE",
  "REQUESTS_CA_BUNDLE",
  "AWS_CA_BUNDLE",
  "SSLKEYLOGFILE",
  "WGETRC",
  "DOCKER_HOST",
  "DOCKER_CONFIG",
  "DOCKER_CONTEXT",
  "KUBECONFIG",
  "AWS_CONFIG_FILE",
  "AWS_SHARED_CREDENTIALS_FILE",
  "PSQLRC",
  "PSQL_*",
  "PGSERVICEFILE",
  "MYSQL_HOME",
  "GNUPGHOME",
  "ANSIBLE_*",
  "LESS*",
  "EDITOR",
  "VISUAL",
  "VIMINIT",
  "EXINIT",
  "PAGER",
  "MANPAGER",
  "BROWSER",
  "*_proxy",
  "*_PROXY",
  // Where programs find the user's settings.
  "HOME",
  "XDG_CONFIG_*",
  "INPUTRC",
  "TERMINFO*",
  "TERMCAP",
  "CURLEW_*",
];

const EXACT = new Set(DANGEROUS_NAMES.filter((name) => !name.includes("*")));
const STARTS = DANGEROUS_NAMES.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
const ENDS = DANGEROUS_NAMES.filter((name) => name.startsWith("*")).map((name) => name.slice(1));

/**
 * Whether setting this name runs code or changes programs. A literal may set it, with a warning; a runtime value never
 * may.
 */
export function isDangerousName(name: string): boolean {
  return EXACT.has(name) || STARTS.some((start) => name.startsWith(start)) || ENDS.some((end) => name.endsWith(end));
}

/** Names that only Curlew sets for a command (CURLEW_V_…, CURLEW_RUN_ID, …). */
export function isReservedName(name: string): boolean {
  return name.startsWith("CURLEW_");
}

/** Whether the operating system rejects it as the name of an environment variable. */
export function isImpossibleName(name: string): boolean {
  return name === "" || /[=\0]/.test(name);
}
