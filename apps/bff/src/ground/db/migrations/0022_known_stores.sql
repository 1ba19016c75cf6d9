CREATE TABLE "stores" (
	"store" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"restored_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "stored_bundles" ADD COLUMN "adopted_at" timestamp (3) with time zone;