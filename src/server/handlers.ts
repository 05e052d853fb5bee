// The table of routes and their handlers. Each resource has a file in routes/.
//   T1. The table has exactly the routes of src/api/routes.ts. The compiler finds missing ones,
//       test/server/openapi.test.ts extra ones.

import type { Handlers } from "./call.ts";
import { approvalRoutes } from "./routes/approvals.ts";
import { deliveryRoutes } from "./routes/deliveries.ts";
import { demoRoutes } from "./routes/demo.ts";
import { doctorRoutes } from "./routes/doctor.ts";
import { eventRoutes } from "./routes/events.ts";
import { importRoutes } from "./routes/import.ts";
import { machineRoutes } from "./routes/machines.ts";
import { outputRoutes } from "./routes/outputs.ts";
import { previewRoutes } from "./routes/preview.ts";
import { runRoutes } from "./routes/runs.ts";
import { secretRoutes } from "./routes/secrets.ts";
import { serverRoutes } from "./routes/server.ts";
import { sessionRoutes } from "./routes/session.ts";
import { settingsRoutes } from "./routes/settings.ts";
import { triggerRoutes } from "./routes/triggers.ts";
import { validateRoutes } from "./routes/validate.ts";
import { workflowRoutes } from "./routes/workflows.ts";

export const handlers: Handlers = {
  ...sessionRoutes,
  ...serverRoutes,
  ...demoRoutes,
  ...workflowRoutes,
  ...validateRoutes,
  ...importRoutes,
  ...previewRoutes,
  ...runRoutes,
  ...eventRoutes,
  ...outputRoutes,
  ...approvalRoutes,
  ...triggerRoutes,
  ...deliveryRoutes,
  ...secretRoutes,
  ...machineRoutes,
  ...doctorRoutes,
  ...settingsRoutes,
};
