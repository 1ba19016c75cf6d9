ALTER TABLE "users" ADD COLUMN "refused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
DROP TRIGGER api_tokens_changed ON api_tokens;--> statement-breakpoint
CREATE TRIGGER api_tokens_changed AFTER UPDATE OF token_hash, scope, domains, project_ids, connection_ids, sites, created_by, expires_at, revoked_at, paused_at OR DELETE ON api_tokens FOR EACH STATEMENT EXECUTE FUNCTION accounts_changed();--> statement-breakpoint
-- A token without an owner works nowhere. Replicas of 1.0.0 give it every right, and delete accounts without their tokens,
-- so for them it is revoked. The audit names Docket, with an action that those replicas know.
CREATE FUNCTION pause_orphans() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	WITH paused AS (
		UPDATE api_tokens SET paused_at = now(), revoked_at = now()
		WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
			AND NOT EXISTS (SELECT FROM users WHERE id = created_by)
		RETURNING token_id, name)
	INSERT INTO audit_events (at, actor_kind, actor_name, action, outcome, target_type, target_id, target_name, details)
	SELECT now(), 'docket', 'Docket', 'api_token.revoked', 'ok', 'api_token', token_id::text, name,
		'{"paused": true, "because": "the account of its owner is gone"}' FROM paused;
	RETURN NULL;
END $$;--> statement-breakpoint
-- Its name comes before users_changed, so that it locks tokens before the tag of the accounts.
CREATE TRIGGER tokens_orphaned AFTER DELETE ON users FOR EACH STATEMENT EXECUTE FUNCTION pause_orphans();--> statement-breakpoint
-- Runs the trigger for accounts that are gone already.
DELETE FROM users WHERE false;
