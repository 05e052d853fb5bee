// summary: doctor's findings, grouped by severity, and summarised in one sentence. Pure.

import type { DoctorReport } from "../../api/shapes.ts";
import { count } from "../ui/words.ts";

export type Finding = DoctorReport["findings"][number];

export interface FindingGroup {
  level: "error" | "note" | "ok";
  title: string;
  findings: Finding[];
}

const TITLES = { error: "Wrong", note: "Worth knowing", ok: "In order" } as const;

/** Non-empty groups, the worst first. Warnings are in the group "worth knowing". */
export function findingGroups(findings: readonly Finding[]): FindingGroup[] {
  return (["error", "note", "ok"] as const)
    .map((level) => ({
      level,
      title: TITLES[level],
      findings: findings.filter((finding) => (finding.level === "warning" ? "note" : finding.level) === level),
    }))
    .filter(({ findings }) => findings.length > 0);
}

/** The command of a fix, for copying; undefined if the fix is a sentence. */
export function commandIn(remedy: string): string | undefined {
  const command = remedy.replace(/^Run: /, "");
  return /^(?:chmod|sudo|curlew) [^\n;]*[^\s.]$/.test(command) ? command : undefined;
}

/** `Nothing is wrong. 2 things are worth knowing.` */
export function verdictOf(findings: readonly Finding[]): string {
  const of = (level: FindingGroup["level"]) =>
    findingGroups(findings).find((group) => group.level === level)?.findings.length ?? 0;
  const [wrong, noted] = [of("error"), of("note")];
  const first = wrong === 0 ? "Nothing is wrong." : `${count(wrong, "thing")} ${wrong === 1 ? "is" : "are"} wrong.`;
  return noted === 0 ? first : `${first} ${count(noted, "thing")} ${noted === 1 ? "is" : "are"} worth knowing.`;
}
