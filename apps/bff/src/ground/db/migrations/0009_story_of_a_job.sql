DROP INDEX "agent_jobs_search";--> statement-breakpoint
DROP INDEX "agent_jobs_group";--> statement-breakpoint
DROP INDEX "agent_jobs_group_repository";--> statement-breakpoint
DROP INDEX "agent_jobs_group_model";--> statement-breakpoint
DROP INDEX "agent_jobs_attention";--> statement-breakpoint
DROP INDEX "static_exports_attention";--> statement-breakpoint
ALTER TABLE "agent_jobs"
	ADD COLUMN "title" text,
	ADD COLUMN "asked_by" text,
	ADD COLUMN "prompts" text,
	ADD COLUMN "is_detailed" boolean DEFAULT false NOT NULL,
	ADD COLUMN "is_waiting" boolean DEFAULT false NOT NULL,
	ADD COLUMN "queue_position" integer,
	ADD COLUMN "started_at" timestamp (3) with time zone,
	ADD COLUMN "last_line" text,
	ADD COLUMN "error" text,
	ADD COLUMN "report" text,
	ADD COLUMN "diff_stat" jsonb,
	ADD COLUMN "usage" jsonb,
	ADD COLUMN "pull_request_number" integer,
	ADD COLUMN "pull_request_title" text,
	ADD COLUMN "pull_request_state" text,
	ADD COLUMN "pull_request_checks" text,
	ADD COLUMN "pull_request_mergeable" boolean,
	ADD COLUMN "pull_request_known_from" text,
	ADD COLUMN "pull_request_checked_at" timestamp (3) with time zone;--> statement-breakpoint
-- One statement, so that the table is written anew once.
ALTER TABLE "agent_jobs"
	DROP COLUMN "list_group",
	DROP COLUMN "troubled_at",
	ADD COLUMN "list_group" text GENERATED ALWAYS AS (case
  when gone_at is not null then 'gone'
  when status = 'failed' then case when error = 'cancelled' then 'cancelled' else 'failed' end
  when status = 'archived' then status
  when status = 'completed' then case
    when pr_link is null then 'no_pull_request'
    when pull_request_state in ('merged', 'closed') then pull_request_state
    else 'pull_request_ready' end
  else 'working' end) STORED NOT NULL,
	ADD COLUMN "troubled_at" timestamp (3) with time zone GENERATED ALWAYS AS (case
  when gone_at is not null then coalesce(finished_at, gone_at)
  when status = 'failed' and error is distinct from 'cancelled' then coalesce(finished_at, followed_at)
  when status = 'completed' and pr_link is not null
    and (pull_request_state is null or pull_request_state not in ('merged', 'closed'))
    then coalesce(finished_at, followed_at) end) STORED;--> statement-breakpoint
-- The prompt that created a job is its title; of a job that was created elsewhere, the first follow-up is.
UPDATE agent_jobs j SET
	title = nullif(left(btrim(split_part(btrim(p.prompt, E' \t\r\n'), E'\n', 1), E' \t\r'), 200), ''),
	asked_by = CASE WHEN p.kind = 'creation' THEN p.sent_by END,
	prompts = left(p.prompts, 2000)
FROM (
	SELECT DISTINCT ON (connection_id, project_id, job_id) connection_id, project_id, job_id, prompt, kind, sent_by,
		string_agg(prompt, E'\n\n') OVER (PARTITION BY connection_id, project_id, job_id ORDER BY sent_at
			ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) prompts
	FROM agent_prompts
	WHERE state = 'accepted' AND job_id IS NOT NULL
	ORDER BY connection_id, project_id, job_id, kind, sent_at) p
WHERE j.connection_id = p.connection_id AND j.project_id = p.project_id AND j.id = p.job_id;--> statement-breakpoint
-- Ready jobs need attention from now on; those of before have been seen.
UPDATE agent_jobs SET settled_trouble = troubled_at WHERE list_group = 'pull_request_ready';--> statement-breakpoint
CREATE INDEX "agent_jobs_group" ON "agent_jobs" USING btree ("list_group","followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_group_repository" ON "agent_jobs" USING btree ("list_group","repository","followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_group_model" ON "agent_jobs" USING btree ("list_group","model","followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_attention" ON "agent_jobs" USING btree ("followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null and nullif("agent_jobs"."troubled_at", "agent_jobs"."settled_trouble") is not null;--> statement-breakpoint
CREATE INDEX "static_exports_attention" ON "static_exports" USING btree ("started_at" DESC NULLS FIRST,"export_id") WHERE "static_exports"."removed_at" is null and nullif("static_exports"."troubled_at", "static_exports"."settled_trouble") is not null;--> statement-breakpoint
-- Most trouble is settled, which the planner would not know.
CREATE STATISTICS "agent_jobs_trouble" ON (nullif(troubled_at, settled_trouble)) FROM agent_jobs;--> statement-breakpoint
CREATE STATISTICS "static_exports_trouble" ON (nullif(troubled_at, settled_trouble)) FROM static_exports;--> statement-breakpoint
ANALYZE agent_jobs;--> statement-breakpoint
ANALYZE static_exports;--> statement-breakpoint
CREATE INDEX "agent_jobs_search" ON "agent_jobs" USING gin (to_tsvector('simple'::regconfig, translate(coalesce("title", '') || ' ' || coalesce("prompts", '') || ' ' || coalesce("project_id", '') || ' ' || coalesce("id", '') || ' ' || coalesce("repository", '') || ' ' || coalesce("ref", '') || ' ' || coalesce("model", '') || ' ' || coalesce("pull_request_title", '') || ' ' || coalesce(left("error", 2000), '') || ' ' || coalesce(left("report", 2000), ''), '!"#$%&''()*+,-./:<=>?@[\]^_`{|}~' || chr(59), '                                '))) WITH (fastupdate=false) WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
-- Old pages have neither titles nor the new counts.
UPDATE list_revisions SET revision = revision + 1, tag = gen_random_uuid() WHERE list = 'agent_jobs';
