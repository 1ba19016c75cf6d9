CREATE TABLE "news_reads" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "versions" (
	"version" text PRIMARY KEY NOT NULL,
	"first_started_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "news_reads" ADD CONSTRAINT "news_reads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Every build before this table called itself 0.1.0.
INSERT INTO "versions" SELECT '0.1.0', min("created_at") FROM "users" HAVING count(*) > 0;
