DROP INDEX "agent_jobs_troubled";--> statement-breakpoint
DROP INDEX "static_exports_troubled";--> statement-breakpoint
ALTER TABLE "agent_jobs" ADD COLUMN "settled_trouble" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agent_jobs" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "agent_jobs" ADD COLUMN "note_by" text;--> statement-breakpoint
ALTER TABLE "agent_jobs" ADD COLUMN "note_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "static_exports" ADD COLUMN "settled_trouble" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "static_exports" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "static_exports" ADD COLUMN "note_by" text;--> statement-breakpoint
ALTER TABLE "static_exports" ADD COLUMN "note_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "agent_jobs_attention" ON "agent_jobs" USING btree ("followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null and "agent_jobs"."troubled_at" is not null and "agent_jobs"."settled_trouble" is distinct from "agent_jobs"."troubled_at";--> statement-breakpoint
CREATE INDEX "static_exports_attention" ON "static_exports" USING btree ("started_at" DESC NULLS FIRST,"export_id") WHERE "static_exports"."removed_at" is null and "static_exports"."troubled_at" is not null and "static_exports"."settled_trouble" is distinct from "static_exports"."troubled_at";--> statement-breakpoint
-- Settles trouble that a later export of the same connection, domain, version and paths has answered already.
UPDATE static_exports t SET settled_trouble = t.troubled_at
WHERE t.troubled_at IS NOT NULL AND EXISTS (
	SELECT FROM static_exports later
	WHERE later.list_group = 'completed' AND later.removed_at IS NULL
		AND later.connection_id = t.connection_id AND later.domain = t.domain
		AND later.version IS NOT DISTINCT FROM t.version
		AND (later.paths IS NOT DISTINCT FROM t.paths OR (later.paths @> t.paths AND later.paths <@ t.paths))
		AND later.started_at > t.started_at);--> statement-breakpoint
-- The counts change without a change of a record, so pages of before are no longer current.
UPDATE list_revisions SET revision = revision + 1, tag = gen_random_uuid() WHERE list IN ('agent_jobs', 'static_exports');
