// Prints each webhook that arrives as one line of JSON. PORT is where it listens, and HOOKS how many it waits for.
import { createServer } from "node:http";

const wanted = Number(process.env.HOOKS);
const BODY_BYTES_MAX = 1024 * 1024;
let received = 0;

const server = createServer((request, response) => {
  const answer = (status) => response.writeHead(status, { Connection: "close" }).end();
  if (request.url !== "/webhook") return answer(404);
  if (request.method !== "POST") return answer(405);
  const parts = [];
  let bytes = 0;
  request.on("data", (part) => {
    bytes += part.length;
    if (bytes <= BODY_BYTES_MAX) parts.push(part);
  });
  request.on("end", () => {
    if (bytes > BODY_BYTES_MAX) return answer(413);
    let event;
    try {
      event = JSON.parse(Buffer.concat(parts).toString("utf8"));
    } catch {
      return answer(400);
    }
    console.log(JSON.stringify(event)); // one line a webhook, written before it is acknowledged
    answer(200);
    received += 1;
    if (received === wanted) server.close();
  });
});
server.on("error", (error) => {
  console.error(`Cannot listen: ${error.message}`);
  process.exitCode = 1;
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => {
  console.error(`Listening for POST /webhook on port ${process.env.PORT}`);
});
