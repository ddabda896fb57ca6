/**
 * The schema of the store. Times are milliseconds since 1970 (UTC); JSON columns hold JSON text;
 * ids are text.
 */

export const SCHEMA_VERSION = 7;

/** The last commit that reads schema 6, and the last that reads those before it. */
export const LAST_OF_6 = "9bbedb89", LAST_OF_OLDER = "582d6017";

/**
 * The tables. The views `turns`, `truths` and `replies` show the long texts of `packed_…` plain:
 * text, or the zlib stream of its UTF-8 as a blob. Another program defines `unpacked` to read them,
 * in Python `db.create_function("unpacked", 1, lambda v: zlib.decompress(v).decode() if
 * isinstance(v, bytes) else v)`.
 */
export const SCHEMA = `
create table studies (
  id text primary key,
  spec text not null,                 -- JSON: the study as planned
  created_at integer not null
) strict;
create table episodes (
  id text primary key,                -- first 16 hex digits of SHA-256 over study, chain, ordinal and identity
  study text not null references studies(id),
  chain text not null,
  ordinal integer not null,           -- place in its chain, from 0
  identity text not null,             -- JSON: everything that decides the trajectory
  world text not null, world_params text not null, game text,  -- game: SHA-256 of its content, known once opened
  label text,                         -- the game's name in tables where it is not the world's id (a game file's name)
  method text not null, memory text not null, condition text not null,  -- condition: the label of the study's row
  backbone text not null,             -- what every artefact shows, e.g. offline
  attempt integer not null, seed integer not null,
  status text not null check (status in ('planned', 'running', 'completed', 'failed', 'paused')),
  failure_kind text, failure_message text,
  score real, max_score real, ended text, steps integer,       -- of the pass that counts
  passes text,                        -- JSON: Pass[]
  artefact_in text, artefact_out text,
  started_at integer, finished_at integer
) strict;
create index episodes_by_study on episodes(study, chain, ordinal);
create table packed_turns (
  episode text not null references episodes(id),
  pass integer not null, step integer not null,               -- step 0 is the reset
  action text, goal text not null, observation text not null, sections text not null,
  frames any not null,                -- packed JSON
  score real not null, max_score real not null, ended text,
  observation_hash text not null,     -- SHA-256 over observation, sections, score and end
  details any not null,               -- packed JSON: plan, reason, what was recalled, …
  graph_size integer,                 -- standing triplets after the step
  primary key (episode, pass, step)
) strict, without rowid;
create view turns as select episode, pass, step, action, goal, observation, sections, unpacked(frames) as frames, score, max_score, ended,
  observation_hash, unpacked(details) as details, graph_size from packed_turns;
create table graph_changes (
  episode text not null references episodes(id),
  pass integer not null, step integer not null, ordinal integer not null,
  op text not null check (op in ('add', 'remove')),
  subject text not null, relation text not null, object text not null,
  primary key (episode, pass, step, ordinal)
) strict, without rowid;
create table events (
  episode text not null references episodes(id),
  pass integer not null, step integer not null, ordinal integer not null,
  kind text not null, detail text not null,
  primary key (episode, pass, step, ordinal)
) strict, without rowid;
create table packed_truths (
  episode text not null references episodes(id),
  pass integer not null, step integer not null,
  truth any not null,                 -- packed JSON
  primary key (episode, pass, step)
) strict, without rowid;
create view truths as select episode, pass, step, unpacked(truth) as truth from packed_truths;
create table packed_replies (
  key text primary key,               -- SHA-256 over the request
  role text not null, model text not null,
  request any not null,               -- packed JSON: model, role, messages, tools, schema, sampling, n, sample
  reply any not null,                 -- packed JSON: ChatReply
  endpoint text not null, code_version text not null, at integer not null,  -- recorded, not keyed
  hash blob not null                  -- SHA-256 over the row, see rowHash
) strict, without rowid;
create view replies as select key, role, model, unpacked(request) as request, unpacked(reply) as reply, endpoint, code_version, at, hash
  from packed_replies;
create table attempts (               -- a request that is sent to an endpoint, written before it is sent
  id integer primary key,
  episode text, pass integer, step integer, vote integer, re_ask integer,
  role text not null, model text not null, key text not null,
  bound_tokens integer not null,      -- the most that it can have taken
  bound_dollars real,                 -- null where the model has no price
  at integer not null,
  outcome text,                       -- answered, a ModelErrorKind, or unknown; null while it is under way
  calls integer,                      -- rows of calls that tell of it, once it is over
  ended_at integer
) strict;
create index attempts_by_episode on attempts(episode);
create table calls (
  id integer primary key,
  episode text, pass integer, step integer, vote integer, re_ask integer,
  role text not null, model text not null, key text not null,
  kind text not null check (kind in ('paid', 'replayed', 'wasted')),
  error text,                         -- ModelErrorKind of a wasted attempt
  prompt_tokens integer not null, cached_tokens integer not null, completion_tokens integer not null, reasoning_tokens integer not null,
  dollars real,                       -- null where the model has no price
  latency_ms real not null, at integer not null,
  bound_tokens integer, bound_dollars real,  -- of a call whose usage no endpoint reported: the most that it can have taken
  attempt integer,                    -- the attempt that brought it; null of a replayed call, and of a model in this process
  recorded integer                    -- 1 where the reply was put on record under the key
) strict;
create index calls_by_episode on calls(episode, pass, step);
create index calls_by_attempt on calls(attempt) where attempt is not null;
create table artefacts (
  hash text primary key,              -- SHA-256 over kind and body
  kind text not null, body blob not null   -- zlib stream of JSON; a picture as it is
) strict, without rowid;
create table digests (
  episode text primary key,           -- empty: studies, and calls and attempts outside of episodes
  digest blob not null                -- exclusive or of the hashes of the rows: see digest.ts
) strict, without rowid;
`;
