CREATE SCHEMA "embedded_service";
--> statement-breakpoint
CREATE TABLE "embedded_service"."processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"serves" boolean NOT NULL,
	"exports" integer NOT NULL,
	"agents" integer NOT NULL,
	"exporter" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "embedded_service"."static_exports" (
	"job_id" text PRIMARY KEY NOT NULL,
	"domain" text NOT NULL,
	"version" text,
	"paths" jsonb,
	"pin" jsonb,
	"status" text NOT NULL,
	"progress" real DEFAULT 0 NOT NULL,
	"page_count" integer DEFAULT 0 NOT NULL,
	"error" text,
	"crashes" smallint DEFAULT 0 NOT NULL,
	"losses" smallint DEFAULT 0 NOT NULL,
	"attempt_id" uuid,
	"exporter" text,
	"cancel_asked_at" timestamp (3) with time zone,
	"lent_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "static_exports_unfinished" ON "embedded_service"."static_exports" USING btree ("domain") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "static_exports_age" ON "embedded_service"."static_exports" USING btree ("updated_at");