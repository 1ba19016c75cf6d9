ALTER TABLE "sessions" ADD COLUMN "sealed_refresh_token" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "recheck_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "recheck_failures" integer DEFAULT 0 NOT NULL;