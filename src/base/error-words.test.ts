import { expect, test } from "vitest";
import { errorWords } from "./error-words.ts";

test.each([
  ["OpenAI", '{"error":{"message":"Incorrect API key","type":"x","code":"invalid_api_key"}}', "Incorrect API key"],
  ["Ollama", '{"error":"model \'m\' not found, try pulling it first"}', "model 'm' not found, try pulling it first"],
  ["vLLM", '{"object":"error","message":"The model `m` does not exist.","code":404}', "The model `m` does not exist."],
  ["FastAPI", '{"detail":"Not Found"}', "Not Found"],
  [
    "FastAPI of a body",
    '{"detail":[{"loc":["body","messages"],"msg":"field required","type":"value_error.missing"}]}',
    "body.messages: field required",
  ],
  ["OAuth", '{"error":"invalid_client","error_description":"Unknown client"}', "Unknown client"],
  ["Okta", '{"errorCode":"E0000011","errorSummary":"Invalid token provided"}', "Invalid token provided"],
  ["problem details", '{"type":"about:blank","title":"Too many","status":429}', "Too many"],
  ["Google", '[{"error":{"code":400,"message":"API key not valid"}}]', "API key not valid"],
  ["NestJS", '{"statusCode":400,"message":["id must be a number"],"error":"Bad Request"}', "id must be a number"],
  ["several", '{"errors":[{"message":"no field nope"},{"message":"more"}]}', "no field nope"],
  ["a text", "404 page not found\n", "404 page not found"],
  ["a page", "<html><body><h1>502 Bad Gateway</h1></body></html>", ""],
  ["nothing", "", ""],
  ["no words", '{"ok":false,"error":null}', ""],
])("%s", (_, body, words) => {
  expect(errorWords(body)).toBe(words);
});
