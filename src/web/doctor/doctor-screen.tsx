// DoctorScreen: the checks of `curlew doctor`, with a suggested fix for each problem (spec ui 6.2.9).

import { queryOptions, useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import type { DoctorReport } from "../../api/shapes.ts";
import { useActions } from "../app/actions.ts";
import { Screen } from "../app/screen.tsx";
import { ask } from "../client/api.ts";
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { say } from "../ui/toast.tsx";
import { FindingRow } from "./finding-row.tsx";
import { findingGroups, verdictOf } from "./summary.ts";

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
              {findingGroups(findings).map(({ level, title, findings }) => (
                <Panel key={level} title={title}>
                  <ul>
                    {findings.map((finding) => (
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
