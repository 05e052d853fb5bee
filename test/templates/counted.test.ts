// Scripts that read a value as a number under the author's own name (docs/reference/templates.md). The guard rejects
// the values that would run. counted.txt contains them, separated by lines of %%; V is the name. A script that none of
// the three shells understands runs in vain.

import { describe, expect, test } from "vitest";
import { type Dialect, guardCounted, rewriteShell } from "../../src/shell/rewrite/index.ts";
import { each, runFolder, scriptsOf, shells } from "./shells.ts";

const scripts = scriptsOf("counted.txt");
const { executes } = runFolder();

const hostile = [
  "a[$(touch canary)]",
  // zsh evaluates a subscript only if the array exists.
  "path[$(touch canary)]",
  "x[`touch canary`]",
  "1,a[$(touch canary)]",
  "1 a[$(touch canary)] 2",
  "a[$(touch canary)].5",
  "OTHER",
  "v OTHER",
];

async function refusal(script: string, shell: Dialect, value: string) {
  const program = await rewriteShell(
    script,
    shell,
    () => false,
    (name) => name === "V",
    ["V"],
  );
  if (!program.ok) return program.error;
  return program.value.counted.map((name) => guardCounted(name, shell, value)).find(Boolean);
}

describe.each(shells)("%s", (shell) => {
  test("no value of them runs", async () => {
    const executed: string[] = [];
    let refused = 0;
    let runs = 0;
    // OTHER is another value of the run, equally hostile.
    const other = "path[$(touch canary)]";
    const all = scripts.flatMap((script) => hostile.map((value) => [script, value] as const));
    await each(all, async ([script, value]) => {
      if ((await refusal(script, shell, value)) !== undefined) {
        refused++;
        return;
      }
      runs++;
      if (await executes(shell, script, { V: value, OTHER: other })) executed.push(`${script}   with   ${value}`);
    });
    console.log(`${shell}: ${scripts.length} scripts, ${refused} refused, ${runs} runs`);
    expect(executed).toEqual([]);
    expect(refused).toBeGreaterThan(100);
  }, 300_000);
});

/** Scripts with values that are meant that way: none may be rejected. */
test.each<[string, string, Dialect?]>([
  ["echo $((V + 1))", "0"],
  ["echo $((V + 1))", ""],
  ["echo $((V + 1))", "   12"],
  ["echo $((V + 1))", "-5"],
  ['[ "$V" -gt 3 ]', "a[1]", "bash"],
  ["for n in $V; do (( sum += n )); done", "1 2 3"],
  ['while read -r name size; do (( sum += size )); done <<< "$V"', "a.txt 3\nb.txt 4"],
  ["n=${V%% *}; (( n > 3 ))", "12 items"],
  ['n=$(printf %s "$V" | tr -cd 0-9); (( n > 3 ))', "12 [items]"],
  ["(( ${#V} > 3 )) && echo long", "a[1]"],
  ["[[ $V == a* ]] && echo $((x + 1))", "a[1]"],
  ['declare -A seen; seen[$V]=1; echo "${seen[$V]}"', "a[1]"],
  ["case $V in ''|*[!0-9]*) echo no; exit;; esac; echo $((V + 1))", "a[1]"],
  ["[[ $V =~ ^[0-9]+$ ]] || exit; echo $((V + 1))", "a[1]"],
  ['if (( V > 0 )); then :; fi; curl "https://a.example/$V"', "3"],
  ['cat <<< "$V" > out.json', '[1, 2, {"a": "$x"}]'],
  ['printf "%s" "$V"; test -n "$V"; [ -f "$V" ]', "a[$(x)]"],
  ['a=($V); printf \'%s\\n\' "${a[0]}" "${#a[@]}"', "[x]"],
])("%s takes %j", async (script, value, only) => {
  for (const shell of only === undefined ? (["bash", "sh", "zsh"] as const) : [only])
    expect(await refusal(script, shell, value), shell).toBeUndefined();
});
