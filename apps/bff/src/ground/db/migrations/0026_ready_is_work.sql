-- One statement, so that the table is written anew once. The index and the statistics go with the column.
ALTER TABLE "agent_jobs"
	DROP COLUMN "troubled_at",
	ADD COLUMN "troubled_at" timestamp (3) with time zone GENERATED ALWAYS AS (case
  when gone_at is not null then coalesce(finished_at, gone_at)
  when status = 'failed' and error is distinct from 'cancelled' then coalesce(finished_at, followed_at) end) STORED;--> statement-breakpoint
CREATE INDEX "agent_jobs_attention" ON "agent_jobs" USING btree ("followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null and nullif("agent_jobs"."troubled_at", "agent_jobs"."settled_trouble") is not null;--> statement-breakpoint
-- Most trouble is settled, which the planner would not know.
CREATE STATISTICS "agent_jobs_trouble" ON (nullif(troubled_at, settled_trouble)) FROM agent_jobs;--> statement-breakpoint
ANALYZE agent_jobs;
