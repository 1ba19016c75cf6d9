-- Says how common a word is. Statistics of the index of words would, but it leaves out removed records, and the planner
-- then ignores them. The expressions must stay equal to those of the indexes.
CREATE STATISTICS "static_exports_words" ON (to_tsvector('simple'::regconfig, translate(coalesce("domain", '') || ' ' || coalesce("version", '') || ' ' || coalesce("job_id", '') || ' ' || coalesce("status", ''), '!"#$%&''()*+,-./:<=>?@[\]^_`{|}~' || chr(59), '                                '))) FROM "static_exports";--> statement-breakpoint
CREATE STATISTICS "agent_jobs_words" ON (to_tsvector('simple'::regconfig, translate(coalesce("title", '') || ' ' || coalesce("prompts", '') || ' ' || coalesce("project_id", '') || ' ' || coalesce("id", '') || ' ' || coalesce("repository", '') || ' ' || coalesce("ref", '') || ' ' || coalesce("model", '') || ' ' || coalesce("pull_request_title", '') || ' ' || coalesce(left("error", 2000), '') || ' ' || coalesce(left("report", 2000), ''), '!"#$%&''()*+,-./:<=>?@[\]^_`{|}~' || chr(59), '                                '))) FROM "agent_jobs";--> statement-breakpoint
ANALYZE "static_exports";--> statement-breakpoint
ANALYZE "agent_jobs";
