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
	REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed();
