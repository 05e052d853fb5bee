// DoctorScreen: the checks of `curlew doctor`, with a suggested fix for each problem (spec ui 6.2.9).

import { queryOptions, useQuery } from "@tanstack/react-query";
import { Check, Info, RefreshCw, X } from "lucide-react";
import type { DoctorReport } from "../../api/shapes.ts";
import { useActions } from "../app/actions.ts";
import { Screen } from "../app/screen.tsx";
import { ask } from "../client/api.ts";
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";
import { inGroups } from "../ui/groups.ts";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { say } from "../ui/toast.tsx";
import { count } from "../ui/words.ts";

type Finding = DoctorReport["findings"][number];

const doctorQuery = queryOptions({
  queryKey: ["doctor"],
  queryFn: ({ signal }) => ask<DoctorReport>("/doctor", { signal }),
});

export function DoctorScreen() {
  const report = useQuery(doctorQuery);
  const again = async () => {
    const { data } = await report.refetch();
    if (data !== undefined) say(verdictOf(data.findings));
  };
  useActions("Doctor", [{ id: "doctor.again", title: "Check again", keys: "R", run: () => void again() }]);
  return (
    <Screen
      title="Doctor"
      actions={
        <Button icon={<RefreshCw />} busy={report.isFetching} onClick={() => void again()}>
          Check again
        </Button>
      }
    >
      <QueryView query={report} rows={8}>
        {({ findings }) => (
          <>
            <div className="mb-5">
              <p className="text-lg font-semibold">{verdictOf(findings)}</p>
              <p className="text-muted">
                Checked <Ago at={new Date(report.dataUpdatedAt).toISOString()} />. Nothing was changed.
              </p>
            </div>
            <div className="flex flex-col gap-6">
              {inGroups(TITLES, findings, groupOf).map(({ id, title, items }) => (
                <Panel key={id} title={title}>
                  <ul>
                    {items.map((finding) => (
                      <FindingRow key={`${finding.code} ${finding.detail}`} finding={finding} />
                    ))}
                  </ul>
                </Panel>
              ))}
            </div>
          </>
        )}
      </QueryView>
    </Screen>
  );
}

/** The worst first. */
const TITLES = { error: "Wrong", note: "Worth knowing", ok: "In order" } as const;

function groupOf({ level }: Finding): keyof typeof TITLES {
  return level === "warning" ? "note" : level;
}

/** `Nothing is wrong. 2 things are worth knowing.` */
function verdictOf(findings: readonly Finding[]): string {
  const of = (group: string) => findings.filter((finding) => groupOf(finding) === group).length;
  const things = (n: number) => `${count(n, "thing")} ${n === 1 ? "is" : "are"}`;
  const [wrong, noted] = [of("error"), of("note")];
  const first = wrong === 0 ? "Nothing is wrong." : `${things(wrong)} wrong.`;
  return noted === 0 ? first : `${first} ${things(noted)} worth knowing.`;
}

const LOOKS = {
  error: { icon: X, text: "text-failed" },
  note: { icon: Info, text: "text-waiting" },
  ok: { icon: Check, text: "text-succeeded" },
};

function FindingRow({ finding }: { finding: Finding }) {
  const { level, title, detail, remedy, code } = finding;
  const { icon: Icon, text } = LOOKS[groupOf(finding)];
  return (
    <li className="flex gap-3 border-b border-line px-4 py-2.5 last:border-0">
      <span className={`mt-0.5 shrink-0 ${text}`}>
        <Icon size={15} strokeWidth={2.25} />
        <span className="sr-only">{TITLES[groupOf(finding)]}</span>
      </span>
      <div className="min-w-0 flex-1 sm:grid sm:grid-cols-[120px_minmax(0,1fr)] sm:gap-x-4">
        <h3 className="font-semibold">{title}</h3>
        <div className="min-w-0">
          <p className={`break-words ${level === "ok" ? "text-muted" : ""}`}>{detail}</p>
          {remedy !== undefined && <p className="mt-1 break-words">{remedy}</p>}
          {level !== "ok" && <p className="mt-1 font-mono text-xs text-muted">{code}</p>}
        </div>
      </div>
    </li>
  );
}
