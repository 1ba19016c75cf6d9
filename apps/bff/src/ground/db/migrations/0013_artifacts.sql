CREATE TABLE "accepted_findings" (
	"site_id" uuid NOT NULL,
	"fingerprint" text NOT NULL,
	"reason" text NOT NULL,
	"accepted_by" text NOT NULL,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "accepted_findings_site_id_fingerprint_pk" PRIMARY KEY("site_id","fingerprint")
);
--> statement-breakpoint
CREATE TABLE "artifacts" (
	"export_id" uuid PRIMARY KEY NOT NULL,
	"site_id" uuid NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"detail" text,
	"phase" text,
	"done" bigint,
	"total" bigint,
	"sha256" text,
	"exported_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"kept" boolean DEFAULT false NOT NULL,
	"stored_at" timestamp (3) with time zone,
	"breaks" integer,
	"leaks" integer,
	"notes" integer,
	"new_breaks" integer,
	"new_leaks" integer,
	"new_notes" integer,
	"compared_with" uuid,
	"pages_added" integer,
	"pages_removed" integer,
	"pages_changed" integer,
	"pages_moved" integer
);
--> statement-breakpoint
CREATE TABLE "preview_violations" (
	"sha256" text NOT NULL,
	"page" text NOT NULL,
	"directive" text NOT NULL,
	"target" text NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "preview_violations_sha256_page_directive_target_pk" PRIMARY KEY("sha256","page","directive","target")
);
--> statement-breakpoint
CREATE TABLE "sites" (
	"site_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"connection_id" uuid DEFAULT '00000000-0000-0000-0000-000000000000' NOT NULL,
	"domain" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_processes" (
	"process_id" uuid PRIMARY KEY NOT NULL,
	"store" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_bundles" (
	"sha256" text PRIMARY KEY NOT NULL,
	"state" text DEFAULT 'stored' NOT NULL,
	"writer" uuid,
	"store" text,
	"released_at" timestamp (3) with time zone,
	"ending" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"stored_bytes" bigint NOT NULL,
	"content_bytes" bigint NOT NULL,
	"files" integer NOT NULL,
	"pages" integer NOT NULL,
	"check_unfinished" text,
	"stored_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accepted_findings" ADD CONSTRAINT "accepted_findings_site_id_sites_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("site_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_site_id_sites_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("site_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_sha256_stored_bundles_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."stored_bundles"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_violations" ADD CONSTRAINT "preview_violations_sha256_stored_bundles_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."stored_bundles"("sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "artifacts_site" ON "artifacts" USING btree ("site_id","exported_at" DESC NULLS FIRST,"export_id");--> statement-breakpoint
CREATE INDEX "artifacts_sha256" ON "artifacts" USING btree ("sha256") WHERE "artifacts"."sha256" is not null;--> statement-breakpoint
CREATE INDEX "artifacts_storing" ON "artifacts" USING btree ("export_id") WHERE "artifacts"."state" = 'storing';--> statement-breakpoint
CREATE INDEX "artifacts_findings" ON "artifacts" USING btree ("export_id") WHERE "artifacts"."breaks" + "artifacts"."leaks" > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "sites_domain" ON "sites" USING btree ("connection_id","domain");