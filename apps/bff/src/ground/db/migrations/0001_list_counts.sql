-- Keeps list_revisions.counts: how many listed records each group has. Once per statement, so that bulk changes cost one update.
CREATE FUNCTION count_listed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	changes jsonb;
BEGIN
	IF TG_OP = 'INSERT' THEN
		SELECT jsonb_object_agg(g, n) INTO changes FROM (
			SELECT list_group g, count(*) n FROM new_rows WHERE removed_at IS NULL GROUP BY 1) c;
	ELSIF TG_OP = 'DELETE' THEN
		SELECT jsonb_object_agg(g, n) INTO changes FROM (
			SELECT list_group g, -count(*) n FROM old_rows WHERE removed_at IS NULL GROUP BY 1) c;
	ELSE
		SELECT jsonb_object_agg(g, n) INTO changes FROM (
			SELECT g, sum(d) n FROM (
				SELECT list_group g, 1 d FROM new_rows WHERE removed_at IS NULL
				UNION ALL
				SELECT list_group, -1 FROM old_rows WHERE removed_at IS NULL) r
			GROUP BY g HAVING sum(d) <> 0) c;
	END IF;
	IF changes IS NOT NULL THEN
		INSERT INTO list_revisions AS l (list, revision, counts) VALUES (TG_TABLE_NAME, 0, changes)
		ON CONFLICT (list) DO UPDATE SET counts = (
			SELECT coalesce(jsonb_object_agg(g, n) FILTER (WHERE n <> 0), '{}') FROM (
				SELECT key g, sum(value::bigint) n FROM (
					SELECT * FROM jsonb_each_text(l.counts) UNION ALL SELECT * FROM jsonb_each_text(changes)) e
				GROUP BY key) s);
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER agent_jobs_counted_insert AFTER INSERT ON agent_jobs
	REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed();--> statement-breakpoint
CREATE TRIGGER agent_jobs_counted_update AFTER UPDATE ON agent_jobs
	REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed();--> statement-breakpoint
CREATE TRIGGER agent_jobs_counted_delete AFTER DELETE ON agent_jobs
	REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed();--> statement-breakpoint
CREATE TRIGGER static_exports_counted_insert AFTER INSERT ON static_exports
	REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed();--> statement-breakpoint
CREATE TRIGGER static_exports_counted_update AFTER UPDATE ON static_exports
	REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed();--> statement-breakpoint
CREATE TRIGGER static_exports_counted_delete AFTER DELETE ON static_exports
	REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed();--> statement-breakpoint
-- Whatever ends a session or changes what somebody may do gives `accounts` a new tag, in the same transaction: replicas compare it before they trust what they remember.
CREATE FUNCTION accounts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO list_revisions AS l (list, revision) VALUES ('accounts', 1)
	ON CONFLICT (list) DO UPDATE SET revision = l.revision + 1, tag = gen_random_uuid();
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER users_changed AFTER UPDATE OR DELETE ON users FOR EACH STATEMENT EXECUTE FUNCTION accounts_changed();--> statement-breakpoint
CREATE TRIGGER sessions_ended AFTER UPDATE OF token, user_id, expires_at OR DELETE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION accounts_changed();--> statement-breakpoint
CREATE TRIGGER api_tokens_changed AFTER UPDATE OF token_hash, scope, domains, project_ids, expires_at, revoked_at OR DELETE ON api_tokens FOR EACH STATEMENT EXECUTE FUNCTION accounts_changed();--> statement-breakpoint
-- The audit is added to. Only its retention deletes, and says so.
CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND current_setting('docket.audit_retention', true) = 'on' THEN RETURN NULL; END IF;
	RAISE EXCEPTION 'audit_events is append-only';
END $$;--> statement-breakpoint
CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
