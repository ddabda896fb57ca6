/** The schema of the store. Times are milliseconds since 1970 (UTC); JSON columns hold JSON text; ids are text. */

/** The migrations from each schema version to the next; `user_version` counts those applied. A released migration is never edited. */
export const MIGRATIONS: readonly string[] = [
  `
create table studies (
  id text primary key,
  spec text not null,                 -- JSON: the study as planned
  created_at integer not null
) strict;
create table episodes (
  id text primary key,                -- first 16 hex digits of SHA-256 over study, lane, ordinal and identity
  study text not null references studies(id),
  lane text not null,
  ordinal integer not null,           -- place in its lane, from 0
  identity text not null,             -- JSON: everything that decides the trajectory
  world text not null, world_params text not null, game text,  -- game: SHA-256 of its content, known once opened
  label text,                         -- the game's name in tables where it is not the world's id (a game file's name)
  method text not null, memory text not null, condition text not null,  -- condition: the label of the study's row
  backbone text not null,             -- what every artefact shows, e.g. offline
  attempt integer not null, seed integer not null,
  status text not null check (status in ('planned', 'running', 'completed', 'failed', 'parked')),
  failure_kind text, failure_message text,
  score real, max_score real, ended text, steps integer,       -- of the pass that counts
  passes text,                        -- JSON: Pass[]
  artefact_in text, artefact_out text,
  started_at integer, finished_at integer
) strict;
create index episodes_by_study on episodes(study, lane, ordinal);
create table turns (
  episode text not null references episodes(id),
  pass integer not null, step integer not null,               -- step 0 is the reset
  action text, goal text not null, observation text not null, sections text not null, frames text not null,
  score real not null, max_score real not null, ended text,
  observation_hash text not null,     -- SHA-256 over observation, sections, score and end
  details text not null,              -- JSON: plan, reason, what was recalled, …
  graph_size integer,                 -- standing triplets after the step
  primary key (episode, pass, step)
) strict, without rowid;
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
create table truths (
  episode text not null references episodes(id),
  pass integer not null, step integer not null,
  truth text not null,
  primary key (episode, pass, step)
) strict, without rowid;
create table replies (
  key text primary key,               -- SHA-256 over model, role, messages, tools, schema, sampling, n, sample
  role text not null, model text not null,
  request blob not null,              -- deflated JSON of what is keyed
  reply text not null,                -- JSON: ChatReply
  endpoint text not null, code_version text not null, at integer not null   -- recorded, not keyed
) strict, without rowid;
create table calls (
  id integer primary key,
  episode text, pass integer, step integer, vote integer, re_ask integer,
  role text not null, model text not null, key text not null,
  kind text not null check (kind in ('paid', 'replayed', 'wasted')),
  error text,                         -- ModelErrorKind of a wasted attempt
  prompt_tokens integer not null, cached_tokens integer not null, completion_tokens integer not null, reasoning_tokens integer not null,
  dollars real,                       -- null where the model has no price
  latency_ms real not null, at integer not null
) strict;
create index calls_by_episode on calls(episode, pass, step);
create table artefacts (
  hash text primary key,              -- SHA-256 over kind and body
  kind text not null, body blob not null   -- deflated JSON
) strict, without rowid;
`,
  `
-- A hash a row (see rowHash), and a seal an episode that has ended. Rows that are older have none: they are not sealed.
alter table studies add column hash blob;
alter table episodes add column hash blob;
alter table turns add column hash blob;
alter table graph_changes add column hash blob;
alter table events add column hash blob;
alter table truths add column hash blob;
alter table calls add column hash blob;
alter table replies add column hash blob;
create table seals (
  episode text primary key,
  trace text not null,                -- SHA-256 over the result and the hashes of turns, changes, events and truths in order
  calls text not null,                -- SHA-256 over the hashes of its calls in order
  rows text not null,                 -- JSON: number of rows by table
  at integer not null,
  hash blob
) strict, without rowid;
`,
  `
-- An attempt is written before it is sent and deleted when its call is: one that is left was cut off, and what it cost is unknown.
create table attempts (
  id integer primary key,
  episode text, pass integer, step integer, vote integer, re_ask integer,
  role text not null, model text not null, key text not null,
  bound_tokens integer not null,      -- the most that it can have taken
  bound_dollars real,                 -- null where the model has no price
  at integer not null
) strict;
-- Of a call whose usage no endpoint reported: the most tokens and dollars that it can have taken.
alter table calls add column bound_tokens integer;
alter table calls add column bound_dollars real;
`,
  `
-- From here on an attempt is kept: one row for each request that was sent, hashed and sealed like the calls that tell what came of it.
alter table attempts add column outcome text;    -- answered, a ModelErrorKind, or unknown; null while it is under way
alter table attempts add column calls integer;   -- rows of calls that tell of it, once it is over
alter table attempts add column ended_at integer;
alter table attempts add column hash blob;
create index attempts_by_episode on attempts(episode);
alter table calls add column attempt integer;    -- the attempt that brought it; null of a replayed call, and of a model in this process
alter table calls add column recorded integer;   -- 1 where the reply was put on record under the key
create index calls_by_attempt on calls(attempt) where attempt is not null;
alter table seals add column attempts text;      -- SHA-256 over the hashes of its attempts in order
`,
  `
-- Long texts are bodies: compressed, by themselves or as the difference from a similar one. Under the old names stand views that show them plain;
-- a text that is no body stands in its column. Rows of a version before are packed episode by episode: packing says what comes next.
create table bodies (
  id integer primary key,
  base integer,                       -- the body that this one differs from; null of a whole text
  body blob not null                  -- frame of Zstandard, or difference in Fossil's format
) strict;
create table packing (
  stage text not null check (stage in ('episodes', 'replies', 'vacuum')),
  last text not null                  -- id of the episode or key of the reply that was packed last
) strict;
insert into packing select 'episodes', '' where exists (select 1 from turns) or exists (select 1 from replies);
alter table turns rename to packed_turns;
alter table packed_turns add column frames_body integer;
alter table packed_turns add column details_body integer;
alter table truths rename to packed_truths;
alter table packed_truths add column truth_body integer;
alter table replies rename to packed_replies;
alter table packed_replies add column request_body integer;
alter table packed_replies add column reply_body integer;
create view turns as select episode, pass, step, action, goal, observation, sections,
  coalesce(cast(unpacked(f.body, f0.body, null) as text), frames) as frames, score, max_score, ended, observation_hash,
  coalesce(cast(unpacked(d.body, d0.body, null) as text), details) as details, graph_size, hash
  from packed_turns left join bodies f on f.id = frames_body left join bodies f0 on f0.id = f.base
  left join bodies d on d.id = details_body left join bodies d0 on d0.id = d.base;
create view truths as select episode, pass, step, coalesce(cast(unpacked(t.body, t0.body, null) as text), truth) as truth, hash
  from packed_truths left join bodies t on t.id = truth_body left join bodies t0 on t0.id = t.base;
create view replies as select key, role, model, coalesce(unpacked(q.body, q0.body, request), request) as request,
  coalesce(cast(unpacked(r.body, r0.body, null) as text), reply) as reply, endpoint, code_version, at, hash
  from packed_replies left join bodies q on q.id = request_body left join bodies q0 on q0.id = q.base
  left join bodies r on r.id = reply_body left join bodies r0 on r0.id = r.base;
`,
];
