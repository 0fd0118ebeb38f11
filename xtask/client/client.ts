// Plays at a served table by the client that was generated from the API's document.
import * as api from "./generated/index.js";
import { createClient, createConfig } from "./generated/client/index.js";
import type { Problem, Table, Update } from "./generated/index.js";

declare const process: { argv: string[] };

const baseUrl = process.argv[2];
const stranger = createClient(createConfig({ baseUrl }));
const holding = (token: string) => createClient(createConfig({ baseUrl, auth: token }));

function must<T>(value: T | undefined | null | false, told: string): T {
  if (value === undefined || value === null || value === false) throw new Error(told);
  return value;
}

/** What was answered; a problem is an error in its own words. */
function done<T>(told: { data?: T; error?: Problem; response?: Response }, status = 200): T {
  if (told.error) throw new Error(`${told.error.status} ${told.error.type}: ${told.error.detail}`);
  must(told.response?.status === status, `${told.response?.status}, not ${status}`);
  return must(told.data, "an answer without a body");
}

/** What is due at a table, done as the table lists it; whether something was. */
async function play(client: typeof stranger, table: Table): Promise<boolean> {
  const path = { table: table.id };
  const ask = table.asks.find((ask) => ask.answers.length > 0);
  if (ask) {
    const { answer } = must(ask.answers[0], "an answer");
    done(await api.previewAnswer({ client, path: { ...path, ask: ask.ask }, body: { answer } }));
    const body = { ask: ask.ask, answer, of: ask.awaited[0], text: "So be it." };
    done(await api.answerAsk({ client, path, body, headers: { "Idempotency-Key": ask.ask } }));
  } else if (table.roll) {
    done(await api.throwDice({ client, path, body: { roll: table.roll.roll } }));
  }
  return ask !== undefined || table.roll !== null;
}

async function evening(system: api.System): Promise<void> {
  const encounter = must(system.encounters[0], "an encounter").id;
  const made = await api.openTable({ client: stranger, body: { system: system.id, encounter } });
  const { table: id, token } = done(made, 201);
  must(made.response?.headers.get("location")?.endsWith(`/tables/${id}`), "where it is");
  const [client, path] = [holding(token), { table: id }];
  const ending = new AbortController();
  const { stream } = await api.streamTable({ client, path, signal: ending.signal });
  // The types are those of one event, whatever else the generator makes of a stream.
  const events = stream[Symbol.asyncIterator]() as AsyncIterator<unknown>;
  const first = (await events.next()).value as Update;
  must(first.table.id === id && first.lines.length > 0, "the stream begins with the table");
  for (let step = 0; step < 8; step += 1) {
    if (!(await play(client, done(await api.getTable({ client, path }))))) break;
  }
  const then = (await events.next()).value as Update;
  must(then.table.version !== first.table.version, "the stream goes on");
  must(done(await api.getLines({ client, path, query: { from: 0 } })).count > first.table.lines, "lines");
  must(done(await api.getStory({ client, path })).includes("So be it."), "the story");
  must(Object.keys(done(await api.getView({ client, path }))).length > 0, "the view");
  // The same key with another note.
  const note = (text: string) =>
    api.writeNote({ client, path, body: { text }, headers: { "Idempotency-Key": "note" } });
  must(done(await note("Rain.")).before === false, "written");
  must(done(await note("Rain.")).before === true, "not written again");
  must((await note("Snow.")).error?.type === "/api#otherwise", "refused under the same key");
  must((await api.getTable({ client: holding("x"), path })).error?.status === 401, "no such token");
  const log = done(await api.getLog({ client, path }));
  done(await api.takeTableIn({ client: stranger, body: { log } }), 201);
  ending.abort();
}

for (const system of done(await api.listSystems({ client: stranger }))) {
  const kind = must(system.templates[0], "a template");
  const path = { system: system.id, kind };
  const toml = done(await api.getTemplate({ client: stranger, path }));
  done(await api.checkText({ client: stranger, path, body: { toml } }));
  await evening(system);
}
console.log("the generated client has played at a table of each system");
