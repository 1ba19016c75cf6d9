CREATE TABLE "agent_jobs" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"status" text,
	"repository" text,
	"ref" text,
	"model" text,
	"pr_link" text,
	"created_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"followed_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"gone_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"lease_owner" text,
	"lease_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"check_failure" jsonb,
	"revision" bigint DEFAULT 0 NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "agent_jobs_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "static_exports" (
	"export_id" uuid PRIMARY KEY NOT NULL,
	"request_id" uuid,
	"domain" text NOT NULL,
	"version" text,
	"paths" jsonb,
	"state" text NOT NULL,
	"job_id" text,
	"status" text,
	"progress" double precision,
	"progress_is_percent" boolean DEFAULT false NOT NULL,
	"page_count" integer,
	"pages_per_second" double precision,
	"reason" text,
	"imported" boolean DEFAULT false NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"gone_at" timestamp (3) with time zone,
	"replaced_by" uuid,
	"bundle_size_bytes" bigint,
	"bundle_sha256" text,
	"bundle_prepared_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"lease_owner" text,
	"lease_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"check_failure" jsonb,
	"revision" bigint DEFAULT 0 NOT NULL,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "list_revisions" (
	"list" text PRIMARY KEY NOT NULL,
	"revision" bigint NOT NULL,
	"tag" uuid DEFAULT gen_random_uuid() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "agent_jobs_list" ON "agent_jobs" USING btree ("followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_due" ON "agent_jobs" USING btree ("next_check_at") WHERE "agent_jobs"."next_check_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "static_exports_request" ON "static_exports" USING btree ("request_id");--> statement-breakpoint
CREATE UNIQUE INDEX "static_exports_job" ON "static_exports" USING btree ("job_id") WHERE "static_exports"."job_id" is not null and "static_exports"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "static_exports_list" ON "static_exports" USING btree ("started_at" DESC NULLS FIRST,"export_id") WHERE "static_exports"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "static_exports_domain" ON "static_exports" USING btree ("domain","started_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "static_exports_due" ON "static_exports" USING btree ("next_check_at") WHERE "static_exports"."next_check_at" is not null;