CREATE TABLE "grants" (
	"grant_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"oidc_group" text,
	"role" text NOT NULL,
	"connection_id" uuid,
	"created_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "grants_subject" CHECK (("grants"."user_id" is null) <> ("grants"."oidc_group" is null))
);
--> statement-breakpoint
CREATE TABLE "connection_keys" (
	"connection_id" uuid NOT NULL,
	"fingerprint" text NOT NULL,
	"first_used_at" timestamp (3) with time zone NOT NULL,
	"last_accepted_at" timestamp (3) with time zone,
	"last_rejected_at" timestamp (3) with time zone,
	"check_claimed_at" timestamp (3) with time zone,
	"check_outcome" text,
	"check_message" text,
	"checked_at" timestamp (3) with time zone,
	CONSTRAINT "connection_keys_connection_id_fingerprint_pk" PRIMARY KEY("connection_id","fingerprint")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"connection_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"base_url" text,
	"sealed_key" text,
	"sealed_read_key" text,
	"key_file" text,
	"read_key_file" text,
	"key_prefix" text,
	"deployment_kind" text NOT NULL,
	"calls_per_hour" integer NOT NULL,
	"timeout_ms" integer NOT NULL,
	"bundle_hosts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"agent_job_creation" boolean NOT NULL,
	"agent_job_list" boolean DEFAULT false NOT NULL,
	"colour" text,
	"production" boolean DEFAULT false NOT NULL,
	"key_expires_on" date,
	"paused_at" timestamp (3) with time zone,
	"gone_at" timestamp (3) with time zone,
	"created_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"connection_id" uuid NOT NULL,
	"project_id" text NOT NULL,
	"name" text,
	"is_default" boolean DEFAULT false NOT NULL,
	CONSTRAINT "projects_connection_id_project_id_pk" PRIMARY KEY("connection_id","project_id")
);
--> statement-breakpoint
DROP INDEX "agent_jobs_changing";--> statement-breakpoint
DROP INDEX "agent_jobs_due";--> statement-breakpoint
DROP INDEX "static_exports_job";--> statement-breakpoint
DROP INDEX "static_exports_changing";--> statement-breakpoint
DROP INDEX "static_exports_due";--> statement-breakpoint
ALTER TABLE "agent_jobs" DROP CONSTRAINT "agent_jobs_project_id_id_pk";--> statement-breakpoint
ALTER TABLE "agent_jobs" ADD COLUMN "connection_id" uuid DEFAULT '00000000-0000-0000-0000-000000000000' NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_jobs" ADD CONSTRAINT "agent_jobs_connection_id_project_id_id_pk" PRIMARY KEY("connection_id","project_id","id");--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "oidc_groups" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_prompts" ADD COLUMN "connection_id" uuid DEFAULT '00000000-0000-0000-0000-000000000000' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "connection_ids" jsonb;--> statement-breakpoint
ALTER TABLE "history_events" ADD COLUMN "connection_id" uuid;--> statement-breakpoint
ALTER TABLE "static_exports" ADD COLUMN "connection_id" uuid DEFAULT '00000000-0000-0000-0000-000000000000' NOT NULL;--> statement-breakpoint
ALTER TABLE "list_revisions" ADD COLUMN "connection_counts" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_connection_id_connections_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("connection_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_keys" ADD CONSTRAINT "connection_keys_connection_id_connections_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("connection_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_connection_id_connections_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("connection_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "grants_person" ON "grants" USING btree ("user_id",coalesce("connection_id", '00000000-0000-0000-0000-000000000000'::uuid));--> statement-breakpoint
CREATE UNIQUE INDEX "grants_group" ON "grants" USING btree ("oidc_group",coalesce("connection_id", '00000000-0000-0000-0000-000000000000'::uuid));--> statement-breakpoint
CREATE INDEX "grants_connection" ON "grants" USING btree ("connection_id");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_environment" ON "connections" USING btree ("base_url") WHERE "connections"."source" = 'environment';--> statement-breakpoint
CREATE UNIQUE INDEX "connections_docket" ON "connections" USING btree ("kind") WHERE "connections"."source" = 'docket';--> statement-breakpoint
CREATE UNIQUE INDEX "projects_default" ON "projects" USING btree ("connection_id") WHERE "projects"."is_default";--> statement-breakpoint
CREATE INDEX "agent_jobs_project" ON "agent_jobs" USING btree ("project_id","followed_at" DESC NULLS FIRST,"id") WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_connection" ON "agent_jobs" USING btree ("connection_id","followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "static_exports_connection" ON "static_exports" USING btree ("connection_id","started_at" DESC NULLS FIRST,"export_id") WHERE "static_exports"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_changing" ON "agent_jobs" USING btree ("connection_id","changing_since","viewed_until") WHERE "agent_jobs"."next_check_at" is not null and "agent_jobs"."finished_at" is null and "agent_jobs"."gone_at" is null and "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_due" ON "agent_jobs" USING btree ("connection_id","next_check_at") WHERE "agent_jobs"."next_check_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "static_exports_job" ON "static_exports" USING btree ("connection_id","job_id") WHERE "static_exports"."job_id" is not null and "static_exports"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "static_exports_changing" ON "static_exports" USING btree ("connection_id","changing_since","viewed_until") WHERE "static_exports"."next_check_at" is not null and "static_exports"."finished_at" is null and "static_exports"."gone_at" is null and "static_exports"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "static_exports_due" ON "static_exports" USING btree ("connection_id","next_check_at") WHERE "static_exports"."next_check_at" is not null;--> statement-breakpoint
ALTER TABLE "call_gates" DROP CONSTRAINT "call_gates_origin_calls_pk";--> statement-breakpoint
ALTER TABLE "call_gates" ADD COLUMN "key" text DEFAULT 'main' NOT NULL;--> statement-breakpoint
ALTER TABLE "call_gates" ADD CONSTRAINT "call_gates_origin_key_calls_pk" PRIMARY KEY("origin","key","calls");--> statement-breakpoint
-- Records of an earlier version, and of a replica before the upgrade, belong here until Docket or an admin knows better.
INSERT INTO connections (connection_id, name, kind, source, deployment_kind, calls_per_hour, timeout_ms, agent_job_creation)
VALUES ('00000000-0000-0000-0000-000000000000', 'Unassigned', 'unassigned', 'docket', 'cloud', 0, 30000, false);--> statement-breakpoint
-- Every replica reads the connections again when their tag changes.
CREATE FUNCTION connections_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO list_revisions AS l (list, revision) VALUES ('connections', 1)
	ON CONFLICT (list) DO UPDATE SET revision = l.revision + 1, tag = gen_random_uuid();
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER connections_changed AFTER INSERT OR UPDATE OR DELETE ON connections FOR EACH STATEMENT EXECUTE FUNCTION connections_changed();--> statement-breakpoint
-- Counts per group as before, and per connection and group.
CREATE OR REPLACE FUNCTION count_listed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	changes jsonb;
BEGIN
	IF TG_OP = 'INSERT' THEN
		SELECT jsonb_object_agg(k, n) INTO changes FROM (
			SELECT connection_id || '/' || list_group k, count(*) n FROM new_rows WHERE removed_at IS NULL GROUP BY 1) c;
	ELSIF TG_OP = 'DELETE' THEN
		SELECT jsonb_object_agg(k, n) INTO changes FROM (
			SELECT connection_id || '/' || list_group k, -count(*) n FROM old_rows WHERE removed_at IS NULL GROUP BY 1) c;
	ELSE
		SELECT jsonb_object_agg(k, n) INTO changes FROM (
			SELECT k, sum(d) n FROM (
				SELECT connection_id || '/' || list_group k, 1 d FROM new_rows WHERE removed_at IS NULL
				UNION ALL
				SELECT connection_id || '/' || list_group, -1 FROM old_rows WHERE removed_at IS NULL) r
			GROUP BY k HAVING sum(d) <> 0) c;
	END IF;
	IF changes IS NOT NULL THEN
		INSERT INTO list_revisions AS l (list, revision, counts, connection_counts)
		VALUES (TG_TABLE_NAME, 0,
			(SELECT jsonb_object_agg(g, n) FROM (
				SELECT split_part(key, '/', 2) g, sum(value::bigint) n FROM jsonb_each_text(changes) GROUP BY 1) s),
			changes)
		ON CONFLICT (list) DO UPDATE SET
			counts = (
				SELECT coalesce(jsonb_object_agg(g, n) FILTER (WHERE n <> 0), '{}') FROM (
					SELECT g, sum(n) n FROM (
						SELECT key g, value::bigint n FROM jsonb_each_text(l.counts) UNION ALL
						SELECT split_part(key, '/', 2), value::bigint FROM jsonb_each_text(changes)) e
					GROUP BY g) s),
			connection_counts = (
				SELECT coalesce(jsonb_object_agg(k, n) FILTER (WHERE n <> 0), '{}') FROM (
					SELECT key k, sum(value::bigint) n FROM (
						SELECT * FROM jsonb_each_text(l.connection_counts) UNION ALL SELECT * FROM jsonb_each_text(changes)) e
					GROUP BY key) s);
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
UPDATE list_revisions SET connection_counts = (
	SELECT coalesce(jsonb_object_agg(k, n), '{}') FROM (
		SELECT connection_id || '/' || list_group k, count(*) n FROM static_exports WHERE removed_at IS NULL GROUP BY 1) c)
WHERE list = 'static_exports';--> statement-breakpoint
UPDATE list_revisions SET connection_counts = (
	SELECT coalesce(jsonb_object_agg(k, n), '{}') FROM (
		SELECT connection_id || '/' || list_group k, count(*) n FROM agent_jobs WHERE removed_at IS NULL GROUP BY 1) c)
WHERE list = 'agent_jobs';--> statement-breakpoint
DROP TRIGGER api_tokens_changed ON api_tokens;--> statement-breakpoint
CREATE TRIGGER api_tokens_changed AFTER UPDATE OF token_hash, scope, domains, project_ids, connection_ids, expires_at, revoked_at OR DELETE ON api_tokens FOR EACH STATEMENT EXECUTE FUNCTION accounts_changed();--> statement-breakpoint
CREATE TRIGGER grants_changed AFTER INSERT OR UPDATE OR DELETE ON grants FOR EACH STATEMENT EXECUTE FUNCTION accounts_changed();--> statement-breakpoint
-- A role of a person is a grant over everything. `none` is no such grant.
CREATE FUNCTION grant_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.role = 'none' THEN
		DELETE FROM grants WHERE user_id = NEW.id AND connection_id IS NULL;
	ELSE
		INSERT INTO grants (user_id, role) VALUES (NEW.id, NEW.role)
		ON CONFLICT (user_id, (coalesce(connection_id, '00000000-0000-0000-0000-000000000000'::uuid))) DO UPDATE SET role = excluded.role;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER users_granted AFTER INSERT OR UPDATE OF role ON users FOR EACH ROW EXECUTE FUNCTION grant_role();--> statement-breakpoint
INSERT INTO grants (user_id, role) SELECT id, role FROM users;
