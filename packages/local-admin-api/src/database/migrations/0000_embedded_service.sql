CREATE SCHEMA "embedded_service";
--> statement-breakpoint
CREATE TABLE "embedded_service"."agent_job_output" (
	"job_id" text NOT NULL,
	"start_at" bigint NOT NULL,
	"end_at" bigint NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "agent_job_output_job_id_start_at_pk" PRIMARY KEY("job_id","start_at")
);
--> statement-breakpoint
CREATE TABLE "embedded_service"."agent_jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"seq" bigserial NOT NULL,
	"project_id" text NOT NULL,
	"code_host" text,
	"status" text NOT NULL,
	"model" text NOT NULL,
	"turns" jsonb NOT NULL,
	"pull_request" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"branch_removed" boolean DEFAULT false NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"waiting_since" timestamp (3) with time zone,
	"attempt_id" uuid,
	"losses" smallint DEFAULT 0 NOT NULL,
	"queued_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "embedded_service"."processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"serves" boolean NOT NULL,
	"exports" integer NOT NULL,
	"agents" integer NOT NULL,
	"exporter" text NOT NULL,
	"store" text,
	"code_host" text,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "embedded_service"."service" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"sealed_key" text,
	"store" text
);
--> statement-breakpoint
CREATE TABLE "embedded_service"."static_exports" (
	"job_id" text PRIMARY KEY NOT NULL,
	"domain" text NOT NULL,
	"version" text,
	"paths" jsonb,
	"pin" jsonb,
	"priority" text DEFAULT 'normal' NOT NULL,
	"status" text NOT NULL,
	"progress" real DEFAULT 0 NOT NULL,
	"page_count" integer DEFAULT 0 NOT NULL,
	"error" text,
	"crashes" smallint DEFAULT 0 NOT NULL,
	"losses" smallint DEFAULT 0 NOT NULL,
	"attempt_id" uuid,
	"exporter" text,
	"cancel_asked_at" timestamp (3) with time zone,
	"touched_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"lent_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "embedded_service"."agent_job_output" ADD CONSTRAINT "agent_job_output_job_id_agent_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "embedded_service"."agent_jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_jobs_project" ON "embedded_service"."agent_jobs" USING btree ("project_id","created_at","seq");--> statement-breakpoint
CREATE INDEX "agent_jobs_project_changes" ON "embedded_service"."agent_jobs" USING btree ("project_id","changed_at");--> statement-breakpoint
CREATE INDEX "agent_jobs_changes" ON "embedded_service"."agent_jobs" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "agent_jobs_ended" ON "embedded_service"."agent_jobs" USING btree ("changed_at") WHERE status in ('completed', 'failed');--> statement-breakpoint
CREATE INDEX "agent_jobs_active" ON "embedded_service"."agent_jobs" USING btree ("queued_at") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "agent_jobs_waiting" ON "embedded_service"."agent_jobs" USING btree ("project_id","waiting_since","seq") WHERE waiting_since is not null;--> statement-breakpoint
CREATE INDEX "agent_jobs_untidy" ON "embedded_service"."agent_jobs" USING btree ("archived_at") WHERE status = 'archived' and not branch_removed;--> statement-breakpoint
CREATE UNIQUE INDEX "agent_jobs_at_work" ON "embedded_service"."agent_jobs" USING btree ("project_id") WHERE attempt_id is not null;--> statement-breakpoint
CREATE INDEX "static_exports_unfinished" ON "embedded_service"."static_exports" USING btree ("domain") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "static_exports_age" ON "embedded_service"."static_exports" USING btree ("updated_at");