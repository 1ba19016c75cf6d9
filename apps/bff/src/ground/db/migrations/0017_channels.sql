CREATE TABLE "readers" (
	"reader_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"session_id" uuid NOT NULL,
	"hostname" text NOT NULL,
	"ticket_hash" text NOT NULL,
	"ticket_expires_at" timestamp (3) with time zone NOT NULL,
	"key_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "readers_ticket_hash_unique" UNIQUE("ticket_hash"),
	CONSTRAINT "readers_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "site_grants" (
	"grant_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"oidc_group" text,
	"role" text NOT NULL,
	"site_id" uuid NOT NULL,
	"channel_id" uuid,
	"created_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_grants_who" CHECK (("site_grants"."user_id" is null) <> ("site_grants"."oidc_group" is null))
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"proposal_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"approved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "approvals_proposal_id_user_id_pk" PRIMARY KEY("proposal_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "channels" (
	"channel_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" uuid NOT NULL,
	"name" text NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"follows_exports" boolean DEFAULT false NOT NULL,
	"current_release_id" uuid,
	"last_number" integer DEFAULT 0 NOT NULL,
	"pinned_at" timestamp (3) with time zone,
	"pinned_by" text,
	"pin_reason" text,
	"is_protected" boolean DEFAULT false NOT NULL,
	"access" text DEFAULT 'signed_in' NOT NULL,
	"hostname" text,
	"headers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"access_log" boolean DEFAULT false NOT NULL,
	"gate" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "channels_hostname_unique" UNIQUE("hostname")
);
--> statement-breakpoint
CREATE TABLE "proposals" (
	"proposal_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"channel_id" uuid NOT NULL,
	"export_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"asked_by_id" text NOT NULL,
	"asked_by" text NOT NULL,
	"note" text,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"outcome" text
);
--> statement-breakpoint
CREATE TABLE "releases" (
	"release_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"channel_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"sha256" text,
	"sum" text NOT NULL,
	"export_id" uuid NOT NULL,
	"pages" integer NOT NULL,
	"released_at" timestamp (3) with time zone NOT NULL,
	"by_kind" text NOT NULL,
	"by_id" text,
	"by_name" text NOT NULL,
	"note" text,
	"checks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"override_reason" text,
	"is_held" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"delivery_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"target_id" uuid NOT NULL,
	"release_id" uuid,
	"sha256" text NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"phase" text,
	"done" bigint,
	"total" bigint,
	"added" integer,
	"changed" integer,
	"removed" integer,
	"problem" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"asked_by" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "targets" (
	"target_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"channel_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"settings" jsonb NOT NULL,
	"sealed_secret" text,
	"on_release" boolean DEFAULT false NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "sites" jsonb;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "label" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "joined_into" uuid;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_proposal_id_proposals_proposal_id_fk" FOREIGN KEY ("proposal_id") REFERENCES "public"."proposals"("proposal_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_site_id_sites_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("site_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_channel_id_channels_channel_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("channel_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_sha256_stored_bundles_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."stored_bundles"("sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "releases" ADD CONSTRAINT "releases_channel_id_channels_channel_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("channel_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "releases" ADD CONSTRAINT "releases_sha256_stored_bundles_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."stored_bundles"("sha256") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "readers_session" ON "readers" USING btree ("session_id","created_at");--> statement-breakpoint
CREATE INDEX "readers_expiry" ON "readers" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "site_grants_subject" ON "site_grants" USING btree (coalesce("user_id"::text, 'group ' || "oidc_group"),"site_id",coalesce("channel_id", '00000000-0000-0000-0000-000000000000'::uuid));--> statement-breakpoint
CREATE UNIQUE INDEX "channels_name" ON "channels" USING btree ("site_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_open" ON "proposals" USING btree ("channel_id") WHERE "proposals"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "releases_number" ON "releases" USING btree ("channel_id","number");--> statement-breakpoint
CREATE INDEX "releases_held" ON "releases" USING btree ("sha256") WHERE "releases"."is_held";--> statement-breakpoint
CREATE INDEX "releases_sha256" ON "releases" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "deliveries_target" ON "deliveries" USING btree ("target_id","asked_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "targets_channel" ON "targets" USING btree ("channel_id");--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_joined_into_sites_site_id_fk" FOREIGN KEY ("joined_into") REFERENCES "public"."sites"("site_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_grants" ADD CONSTRAINT "site_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade;--> statement-breakpoint
ALTER TABLE "site_grants" ADD CONSTRAINT "site_grants_site_id_sites_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("site_id") ON DELETE cascade;--> statement-breakpoint
ALTER TABLE "site_grants" ADD CONSTRAINT "site_grants_channel_id_channels_channel_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("channel_id") ON DELETE cascade;--> statement-breakpoint
ALTER TABLE "readers" ADD CONSTRAINT "readers_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade;--> statement-breakpoint
ALTER TABLE "targets" ADD CONSTRAINT "targets_channel_id_channels_channel_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("channel_id") ON DELETE cascade;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_target_id_targets_target_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."targets"("target_id") ON DELETE cascade;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_release_id_releases_release_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."releases"("release_id") ON DELETE set null;--> statement-breakpoint
CREATE TRIGGER site_grants_changed AFTER INSERT OR UPDATE OR DELETE ON site_grants FOR EACH STATEMENT EXECUTE FUNCTION accounts_changed();--> statement-breakpoint
DROP TRIGGER api_tokens_changed ON api_tokens;--> statement-breakpoint
CREATE TRIGGER api_tokens_changed AFTER UPDATE OF token_hash, scope, domains, project_ids, connection_ids, sites, expires_at, revoked_at OR DELETE ON api_tokens FOR EACH STATEMENT EXECUTE FUNCTION accounts_changed();--> statement-breakpoint
-- A label made of a domain that no other site has: docs.example.com becomes docs-example-com, then docs-example-com-2.
CREATE FUNCTION free_site_label(domain text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	base text := trim(both '-' from left(trim(both '-' from regexp_replace(lower(domain), '[^a-z0-9]+', '-', 'g')), 34));
	found text;
	n int := 1;
BEGIN
	IF length(base) < 2 OR base ~ '^(docket|previews)(-|$)' THEN
		base := trim(both '-' from 'site-' || left(base, 29));
	END IF;
	found := base;
	WHILE EXISTS (SELECT FROM sites WHERE label = found) LOOP
		n := n + 1;
		found := base || '-' || n;
	END LOOP;
	RETURN found;
END $$;--> statement-breakpoint
-- Replicas of an earlier version give no label either.
CREATE FUNCTION label_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.label = '' THEN
		-- Two new sites at once must not get the same one. The lock ends with the transaction.
		PERFORM pg_advisory_xact_lock(hashtextextended('site labels', 0));
		NEW.label := free_site_label(NEW.domain);
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION give_channels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO channels (site_id, name, follows_exports) VALUES (NEW.site_id, 'production', false), (NEW.site_id, 'latest', true);
	RETURN NULL;
END $$;--> statement-breakpoint
DO $$
DECLARE
	site record;
BEGIN
	FOR site IN SELECT site_id, domain FROM sites ORDER BY created_at, site_id LOOP
		UPDATE sites SET label = free_site_label(site.domain) WHERE site_id = site.site_id;
	END LOOP;
END $$;--> statement-breakpoint
INSERT INTO channels (site_id, name, follows_exports) SELECT s.site_id, n.name, n.name = 'latest' FROM sites s, (VALUES ('production'), ('latest')) n (name);--> statement-breakpoint
CREATE TRIGGER sites_labelled BEFORE INSERT ON sites FOR EACH ROW EXECUTE FUNCTION label_site();--> statement-breakpoint
CREATE TRIGGER sites_given_channels AFTER INSERT ON sites FOR EACH ROW EXECUTE FUNCTION give_channels();--> statement-breakpoint
-- Whoever removes bundles, this version or an earlier one: those that a channel may show again, or that are on their way, stay.
CREATE FUNCTION keep_held_bundle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM releases WHERE sha256 = NEW.sha256 AND is_held)
		OR EXISTS (SELECT FROM deliveries WHERE sha256 = NEW.sha256 AND state IN ('waiting', 'running')) THEN
		RETURN NULL;
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER stored_bundles_held BEFORE UPDATE OF state ON stored_bundles FOR EACH ROW WHEN (NEW.state = 'deleting') EXECUTE FUNCTION keep_held_bundle();--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_label_unique" UNIQUE("label");