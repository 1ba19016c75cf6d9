ALTER TABLE "connections" ADD COLUMN "status_meanings" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "progress_scale" text;--> statement-breakpoint
ALTER TABLE "static_exports" ADD COLUMN "progress_sent" double precision;--> statement-breakpoint
ALTER TABLE "static_exports" ADD COLUMN "progress_steps" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- What the lists count depends on which connections are watched.
CREATE FUNCTION watching_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO list_revisions AS l (list, revision) VALUES ('agent_jobs', 1), ('static_exports', 1)
	ON CONFLICT (list) DO UPDATE SET revision = l.revision + 1, tag = gen_random_uuid();
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER watching_changed AFTER UPDATE OF paused_at, gone_at ON connections FOR EACH STATEMENT EXECUTE FUNCTION watching_changed();
