// positions: places where an author may write `${v}`, with the expected output. Each prints fields that end in NUL.
// `show` prints how many words it was given, then each of them. `$VALUE` has the value by another way, to compare with.

export type ShellName = "bash" | "sh" | "zsh";

export interface Position {
  name: string;
  script: string;
  /** The fields that value `v` must give. */
  expected(v: string): string[];
  /** Where it works; everywhere when absent. */
  shells?: readonly ShellName[];
}

const word = (v: string): string[] => ["1", v];
const around = (before: string, after: string) => (v: string) => ["1", before + v + after];
const same = (v: string): string[] => [v];
const bashy: readonly ShellName[] = ["bash", "zsh"];

export const positions: readonly Position[] = [
  { name: "bare word", script: "show ${v}", expected: word },
  { name: "bare word among others", script: "show a ${v} b", expected: (v) => ["3", "a", v, "b"] },
  { name: "bare, twice in a word", script: "show ${v}${v}", expected: (v) => ["1", v + v] },
  { name: "bare with text around", script: "show a${v}b", expected: around("a", "b") },
  { name: "bare after an equals sign", script: "show --x=${v}", expected: around("--x=", "") },
  { name: "bare after a tilde", script: "show x~${v}", expected: around("x~", "") },
  { name: "bare after an escaped dollar", script: "show \\$${v}", expected: around("$", "") },
  { name: "bare beside a quoted part", script: "show 'a'${v}\"b\"", expected: around("a", "b") },
  { name: "double quotes", script: 'show "${v}"', expected: word },
  { name: "double quotes with text", script: 'show "a ${v} b"', expected: around("a ", " b") },
  { name: "double quotes with single quotes inside", script: "show \"a '${v}' b\"", expected: around("a '", "' b") },
  { name: "double quotes with escapes", script: 'show "\\"${v}\\" \\\\${v}"', expected: (v) => ["1", `"${v}" \\${v}`] },
  { name: "double quotes with a number after it", script: 'show "${v}1[0]:h"', expected: around("", "1[0]:h") },
  {
    name: "double quotes beside the shell's own variable",
    script: 'own=o; show "$own${v}$own"',
    expected: around("o", "o"),
  },
  { name: "double quotes over two lines", script: 'show "a\n${v}\nb"', expected: around("a\n", "\nb") },
  { name: "single quotes", script: "show '${v}'", expected: word },
  { name: "single quotes with text", script: "show 'a ${v} b'", expected: around("a ", " b") },
  { name: "single quotes, twice", script: "show '${v}|${v}'", expected: (v) => ["1", `${v}|${v}`] },
  { name: "single quotes around JSON", script: 'show \'{"q":"${v}"}\'', expected: around('{"q":"', '"}') },
  { name: "single quotes with a backslash", script: "show 'a\\b ${v}'", expected: around("a\\b ", "") },
  { name: "ANSI-C quotes", script: "show $'a\\t${v}\\n'", expected: around("a\t", "\n"), shells: bashy },
  {
    name: "ANSI-C quotes with an escaped quote",
    script: "show $'it\\'s ${v}'",
    expected: around("it's ", ""),
    shells: bashy,
  },
  { name: "assignment", script: 'x=${v}; show "$x"', expected: word },
  { name: "assignment with text", script: 'x=a${v}b; show "$x"', expected: around("a", "b") },
  { name: "assignment in double quotes", script: 'x="a ${v}"; show "$x"', expected: around("a ", "") },
  { name: "assignment after a colon", script: 'x=a:${v}; show "$x"', expected: around("a:", "") },
  { name: "assignment for one command", script: 'X=${v} sh -c \'printf "%s\\0" "$X"\'', expected: same },
  { name: "export", script: 'export XX=${v}; sh -c \'printf "%s\\0" "$XX"\'', expected: same },
  { name: "readonly in a subshell", script: '(readonly XR=${v}; show "$XR")', expected: word },
  { name: "local", script: 'lf() { local y=${v}; show "$y"; }; lf', expected: word },
  { name: "argument of env", script: 'env X=${v} sh -c \'printf "%s\\0" "$X"\'', expected: same },
  { name: "for list", script: 'for x in ${v} b; do show "$x"; done', expected: (v) => ["1", v, "1", "b"] },
  {
    name: "for list in quotes",
    script: 'for x in "${v}" \'${v}\'; do show "$x"; done',
    expected: (v) => ["1", v, "1", v],
  },
  {
    name: "case word",
    script: 'case ${v} in "$VALUE") show same;; *) show other;; esac',
    expected: () => ["1", "same"],
  },
  {
    name: "case pattern",
    script: 'y=$VALUE; case "$y" in ${v}) show same;; *) show other;; esac',
    expected: () => ["1", "same"],
  },
  {
    name: "case pattern with a star",
    script: 'case "a${v}b" in a${v}*) show same;; *) show other;; esac',
    expected: () => ["1", "same"],
  },
  {
    name: "case pattern is literal",
    script: 'case "~some other text~" in ${v}) show same;; *) show other;; esac',
    expected: () => ["1", "other"],
  },
  {
    name: "test",
    script: 'if [ ${v} = "$VALUE" ]; then show same; else show other; fi',
    expected: () => ["1", "same"],
  },
  {
    name: "test in quotes",
    script: "if [ 'x${v}' = \"x$VALUE\" ]; then show same; else show other; fi",
    expected: () => ["1", "same"],
  },
  {
    name: "double brackets, both sides",
    script: "if [[ ${v} == ${v} ]]; then show same; else show other; fi",
    expected: () => ["1", "same"],
    shells: bashy,
  },
  {
    name: "double brackets, right side is literal",
    script: 'if [[ "~some other text~" == ${v} ]]; then show same; else show other; fi',
    expected: () => ["1", "other"],
    shells: bashy,
  },
  {
    name: "double brackets, regular expression",
    script: "if [[ a${v}b =~ ^a${v}b$ ]]; then show same; else show other; fi",
    expected: () => ["1", "same"],
    shells: ["bash"],
  },
  { name: "heredoc", script: "cat <<EOF\na ${v} b\nEOF\nprintf '\\0'", expected: (v) => [`a ${v} b\n`] },
  {
    name: "heredoc with quotes around",
    script: "cat <<EOF\n'${v}' \"${v}\"\nEOF\nprintf '\\0'",
    expected: (v) => [`'${v}' "${v}"\n`],
  },
  { name: "heredoc with tabs", script: "cat <<-EOF\n\ta ${v}\n\tEOF\nprintf '\\0'", expected: (v) => [`a ${v}\n`] },
  { name: "heredoc into a pipe", script: "cat <<EOF | cat\n${v}.\nEOF\nprintf '\\0'", expected: (v) => [`${v}.\n`] },
  { name: "here-string", script: "cat <<< ${v}; printf '\\0'", expected: (v) => [`${v}\n`], shells: bashy },
  {
    name: "here-string in quotes",
    script: "cat <<< \"a ${v}\"; printf '\\0'",
    expected: (v) => [`a ${v}\n`],
    shells: bashy,
  },
  { name: "command substitution", script: "show \"$(printf '%s.' ${v})\"", expected: around("", ".") },
  { name: "command substitution in quotes", script: 'show "$(printf \'%s.\' "a ${v}")"', expected: around("a ", ".") },
  {
    name: "command substitution, nested",
    script: "show \"$(printf '%s.' \"$(printf '%s.' '${v}')\")\"",
    expected: around("", ".."),
  },
  {
    name: "command substitution in a heredoc",
    script: "cat <<EOF\n$(printf '%s.' ${v})\nEOF\nprintf '\\0'",
    expected: (v) => [`${v}.\n`],
  },
  { name: "process substitution", script: "cat <(printf '%s' ${v}); printf '\\0'", expected: same, shells: bashy },
  { name: "subshell", script: "(show ${v})", expected: word },
  { name: "group", script: "{ show ${v}; }", expected: word },
  { name: "function of the script", script: 'ff() { show "$1"; }; ff ${v}', expected: word },
  { name: "function body", script: "fb() { show ${v}; }; fb", expected: word },
  { name: "array", script: 'ar=(${v} b); show "${ar[@]}"', expected: (v) => ["2", v, "b"], shells: bashy },
  {
    name: "array, appended",
    script: 'ar=(a); ar+=(${v}); show "${ar[@]}"',
    expected: (v) => ["2", "a", v],
    shells: bashy,
  },
  { name: "positional parameters", script: '(set -- ${v} b; show "$@")', expected: (v) => ["2", v, "b"] },
  { name: "pipe", script: "printf '%s' ${v} | cat; printf '\\0'", expected: same },
  { name: "and-or", script: "false || show ${v}", expected: word },
  { name: "negation", script: "! show ${v} || true", expected: word },
  { name: "background", script: "show ${v} & wait", expected: word },
  { name: "while", script: 'n=; while [ -z "$n" ]; do show ${v}; n=1; done', expected: word },
  { name: "if clause", script: "if show ${v}; then :; fi", expected: word },
  { name: "after a comment", script: "# about ${v} 'and \"\nshow ${v} # ${v}", expected: word },
  { name: "line continuation", script: "show \\\n  ${v} \\\n  b", expected: (v) => ["2", v, "b"] },
  { name: "brace list", script: "show {${v},b}", expected: (v) => ["2", v, "b"], shells: ["bash"] },
  { name: "escaped stays", script: "show \\${v} \"\\${v}\" '$${v}'", expected: () => ["3", "${v}", "${v}", "${v}"] },
  { name: "literal by two dollars", script: 'show $${v} "$${v}" ${v}', expected: (v) => ["3", "${v}", "${v}", v] },
  {
    name: "unknown names stay the shell's",
    script: 'y=own; show "${y}" "${v}" "$y"',
    expected: (v) => ["3", "own", v, "own"],
  },
  { name: "argument of sh -c", script: 'sh -c \'printf "%s\\0" "$1"\' _ ${v}', expected: same },
  {
    name: "argument of awk's environment",
    script: 'A=${v} awk \'BEGIN { printf "%s%c", ENVIRON["A"], 0 }\'',
    expected: same,
  },
];
