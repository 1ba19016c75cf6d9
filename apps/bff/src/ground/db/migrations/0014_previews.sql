CREATE TABLE "previews" (
	"preview_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"export_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"session_id" uuid NOT NULL,
	"isolation" text NOT NULL,
	"label" text,
	"framed_by" text NOT NULL,
	"page" text NOT NULL,
	"ticket_hash" text NOT NULL,
	"ticket_expires_at" timestamp (3) with time zone NOT NULL,
	"key_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"opened_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "previews_label_unique" UNIQUE("label"),
	CONSTRAINT "previews_ticket_hash_unique" UNIQUE("ticket_hash"),
	CONSTRAINT "previews_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE INDEX "previews_session" ON "previews" USING btree ("session_id","created_at");--> statement-breakpoint
CREATE INDEX "previews_expiry" ON "previews" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "previews_sha256" ON "previews" USING btree ("sha256");--> statement-breakpoint
ALTER TABLE "previews" ADD CONSTRAINT "previews_sha256_stored_bundles_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."stored_bundles"("sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "previews" ADD CONSTRAINT "previews_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;
