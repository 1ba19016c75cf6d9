CREATE TABLE "progress_scales" (
	"connection_id" uuid PRIMARY KEY NOT NULL,
	"fractions" integer DEFAULT 0 NOT NULL,
	"percent" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
DROP INDEX "agent_jobs_changing";--> statement-breakpoint
ALTER TABLE "agent_jobs" ADD COLUMN "found_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agent_jobs" ADD COLUMN "missing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agent_jobs" ADD COLUMN "missing_reads" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_jobs" ADD COLUMN "awaited_since" timestamp (3) with time zone GENERATED ALWAYS AS (case
  when status = 'completed' and pr_link is null and gone_at is null
    and (created_at is null or finished_at - created_at <= interval '25 hours') then finished_at end) STORED;--> statement-breakpoint
ALTER TABLE "static_exports" ADD COLUMN "progress_evidence" text;--> statement-breakpoint
ALTER TABLE "static_exports" ADD COLUMN "found_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "static_exports" ADD COLUMN "missing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "static_exports" ADD COLUMN "missing_reads" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "progress_scales" ADD CONSTRAINT "progress_scales_connection_id_connections_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("connection_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_jobs_changing" ON "agent_jobs" USING btree ("connection_id","changing_since","viewed_until") WHERE "agent_jobs"."next_check_at" is not null and ("agent_jobs"."finished_at" is null or "agent_jobs"."awaited_since" is not null)
          and "agent_jobs"."gone_at" is null and "agent_jobs"."removed_at" is null;