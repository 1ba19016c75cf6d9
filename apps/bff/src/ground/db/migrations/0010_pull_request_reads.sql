CREATE TABLE "pull_request_reads" (
	"connection_id" uuid NOT NULL,
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"link" text NOT NULL,
	"ready_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text,
	CONSTRAINT "pull_request_reads_connection_id_project_id_id_pk" PRIMARY KEY("connection_id","project_id","id")
);
--> statement-breakpoint
CREATE TABLE "code_hosts" (
	"code_host_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"connection_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"url" text NOT NULL,
	"sealed_token" text,
	"answered_at" timestamp (3) with time zone,
	"problem" text,
	"paused_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"hour_began" timestamp (3) with time zone,
	"reads_in_hour" integer DEFAULT 0 NOT NULL,
	"added_by" text,
	"added_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "pull_request_reads" ADD CONSTRAINT "pull_request_reads_job" FOREIGN KEY ("connection_id","project_id","id") REFERENCES "public"."agent_jobs"("connection_id","project_id","id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "code_hosts" ADD CONSTRAINT "code_hosts_connection_id_connections_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("connection_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "code_hosts_url" ON "code_hosts" USING btree ("connection_id","url");--> statement-breakpoint
CREATE INDEX "agent_jobs_pull_requests" ON "agent_jobs" USING btree ("connection_id") WHERE removed_at is null and pull_request_known_from is distinct from 'service'
  and (list_group = 'pull_request_ready' or (list_group in ('merged', 'closed') and pull_request_known_from = 'person'));