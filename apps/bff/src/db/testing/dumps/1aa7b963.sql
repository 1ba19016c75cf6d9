-- second factor: MNFGS3T2GNLU2WSZOVDXU53SPJJUOU3IKVZTQRSTIJKVUS2VONFQ
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA drizzle;
CREATE SCHEMA pgboss;
CREATE TYPE pgboss.job_state AS ENUM (
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed'
);
CREATE FUNCTION pgboss.create_queue(queue_name text, options jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $_$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN
      WITH q as (
        INSERT INTO pgboss.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false)
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;
      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;
      EXECUTE format('CREATE TABLE pgboss.%I (LIKE pgboss.job INCLUDING DEFAULTS)', tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i11 ON pgboss.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON pgboss.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i7 ON pgboss.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i9 ON pgboss.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);
      IF options->>'policy' = 'short' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON pgboss.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON pgboss.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i10 ON pgboss.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;
      EXECUTE format('ALTER TABLE pgboss.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE pgboss.job ATTACH PARTITION pgboss.%I FOR VALUES IN (%L)', tablename, queue_name);
    END;
    $_$;
CREATE FUNCTION pgboss.delete_queue(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      v_table varchar;
      v_partition bool;
    BEGIN
      
      SELECT table_name, partition
      FROM pgboss.queue
      WHERE name = queue_name
      INTO v_table, v_partition;
      IF v_partition THEN
        EXECUTE format('DROP TABLE IF EXISTS pgboss.%I', v_table);
      ELSE
        EXECUTE format('DELETE FROM pgboss.%I WHERE name = %L', v_table, queue_name);
      END IF;
    
      DELETE FROM pgboss.queue WHERE name = queue_name;
    END;
    $$;
CREATE FUNCTION pgboss.job_table_format(command text, table_name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
      SELECT format(
        regexp_replace(
          regexp_replace(command, '\.job\y', '.%1$I', 'g'),
          '\yjob_i(\d+)', '%1$s_i\1', 'g'
        ),
        table_name
      );
    $_$;
CREATE FUNCTION pgboss.job_table_run(command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      tbl RECORD;
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        EXECUTE pgboss.job_table_format(command, tbl_name);
        RETURN;
      END IF;
      EXECUTE pgboss.job_table_format(command, 'job_common');
      FOR tbl IN SELECT table_name FROM pgboss.queue WHERE partition = true
      LOOP
        EXECUTE pgboss.job_table_format(command, tbl.table_name);
      END LOOP;
    END;
    $$;
CREATE FUNCTION pgboss.job_table_run_async(command_name text, version integer, command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
        VALUES (
          command_name,
          version,
          'pending',
          queue_name,
          tbl_name,
          pgboss.job_table_format(command, tbl_name)
        );
        RETURN;
      END IF;
      INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
      SELECT
        command_name,
        version,
        'pending',
        NULL,
        'job_common',
        pgboss.job_table_format(command, 'job_common')
      UNION ALL
      SELECT
        command_name,
        version,
        'pending',
        queue.name,
        queue.table_name,
        pgboss.job_table_format(command, queue.table_name)
      FROM pgboss.queue
      WHERE partition = true;
    END;
    $$;
CREATE FUNCTION public.accounts_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
	INSERT INTO list_revisions AS l (list, revision) VALUES ('accounts', 1)
	ON CONFLICT (list) DO UPDATE SET revision = l.revision + 1, tag = gen_random_uuid();
	RETURN NULL;
END $$;
CREATE FUNCTION public.audit_is_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
	IF TG_OP = 'DELETE' AND current_setting('docket.audit_retention', true) = 'sealed' THEN RETURN NULL; END IF;
	RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE FUNCTION public.connections_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
	INSERT INTO list_revisions AS l (list, revision) VALUES ('connections', 1)
	ON CONFLICT (list) DO UPDATE SET revision = l.revision + 1, tag = gen_random_uuid();
	RETURN NULL;
END $$;
CREATE FUNCTION public.count_listed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
END $$;
CREATE FUNCTION public.grant_role() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
	IF NEW.role = 'none' THEN
		DELETE FROM grants WHERE user_id = NEW.id AND connection_id IS NULL;
	ELSE
		INSERT INTO grants (user_id, role) VALUES (NEW.id, NEW.role)
		ON CONFLICT (user_id, (coalesce(connection_id, '00000000-0000-0000-0000-000000000000'::uuid))) DO UPDATE SET role = excluded.role;
	END IF;
	RETURN NULL;
END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE drizzle.__drizzle_migrations (
    id integer NOT NULL,
    hash text NOT NULL,
    created_at bigint
);
CREATE SEQUENCE drizzle.__drizzle_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE drizzle.__drizzle_migrations_id_seq OWNED BY drizzle.__drizzle_migrations.id;
CREATE TABLE pgboss.bam (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    queue text,
    table_name text NOT NULL,
    command text NOT NULL,
    error text,
    created_on timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone
);
CREATE TABLE pgboss.job (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer
)
PARTITION BY LIST (name);
CREATE TABLE pgboss.job_common (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK ((NOT ((policy = 'key_strict_fifo'::text) AND (singleton_key IS NULL))))
);
CREATE TABLE pgboss.job_dependency (
    child_name text NOT NULL,
    child_id uuid NOT NULL,
    parent_name text NOT NULL,
    parent_id uuid NOT NULL
);
CREATE TABLE pgboss.queue (
    name text NOT NULL,
    policy text NOT NULL,
    retry_limit integer NOT NULL,
    retry_delay integer NOT NULL,
    retry_backoff boolean NOT NULL,
    retry_delay_max integer,
    expire_seconds integer NOT NULL,
    retention_seconds integer NOT NULL,
    deletion_seconds integer NOT NULL,
    dead_letter text,
    partition boolean NOT NULL,
    table_name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    warning_queued integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    ready_history integer[] DEFAULT '{}'::integer[] NOT NULL,
    heartbeat_seconds integer,
    notify boolean DEFAULT false NOT NULL,
    singletons_active text[],
    monitor_claim_on timestamp with time zone,
    monitor_on timestamp with time zone,
    maintain_on timestamp with time zone,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT queue_check CHECK ((dead_letter IS DISTINCT FROM name))
);
CREATE TABLE pgboss.queue_stats (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (captured_on);
CREATE TABLE pgboss.queue_stats_20261123 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE pgboss.queue_stats_20261124 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE pgboss.schedule (
    name text NOT NULL,
    key text DEFAULT ''::text NOT NULL,
    kind text DEFAULT 'cron'::text NOT NULL,
    cron text NOT NULL,
    timezone text DEFAULT 'UTC'::text,
    data jsonb,
    options jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    last_job_id uuid,
    CONSTRAINT schedule_kind_check CHECK ((kind = ANY (ARRAY['cron'::text, 'rrule'::text])))
);
CREATE TABLE pgboss.subscription (
    event text NOT NULL,
    name text NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE pgboss.version (
    version integer NOT NULL,
    cron_on timestamp with time zone,
    bam_on timestamp with time zone,
    flow_on timestamp with time zone,
    reindex_on timestamp with time zone,
    monitor_backoff_on timestamp with time zone
);
CREATE TABLE pgboss.warning (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    message text NOT NULL,
    data jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.accepted_findings (
    site_id uuid NOT NULL,
    fingerprint text NOT NULL,
    reason text NOT NULL,
    accepted_by text NOT NULL,
    accepted_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.agent_jobs (
    project_id text NOT NULL,
    id text NOT NULL,
    status text,
    repository text,
    ref text,
    model text,
    pr_link text,
    created_at timestamp(3) with time zone,
    archived_at timestamp(3) with time zone,
    followed_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    took_ms bigint,
    gone_at timestamp(3) with time zone,
    next_check_at timestamp(3) with time zone,
    lease_owner text,
    lease_until timestamp(3) with time zone,
    failures integer DEFAULT 0 NOT NULL,
    changing_since timestamp(3) with time zone,
    unfinished_at timestamp(3) with time zone,
    viewed_until timestamp(3) with time zone,
    checked_at timestamp(3) with time zone,
    check_failure jsonb,
    revision bigint DEFAULT 0 NOT NULL,
    removed_at timestamp(3) with time zone,
    connection_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    found_at timestamp(3) with time zone,
    missing_since timestamp(3) with time zone,
    missing_reads integer DEFAULT 0 NOT NULL,
    awaited_since timestamp(3) with time zone GENERATED ALWAYS AS (
CASE
    WHEN ((status = 'completed'::text) AND (pr_link IS NULL) AND (gone_at IS NULL) AND ((created_at IS NULL) OR ((finished_at - created_at) <= '25:00:00'::interval))) THEN finished_at
    ELSE NULL::timestamp with time zone
END) STORED,
    settled_trouble timestamp(3) with time zone,
    note text,
    note_by text,
    note_at timestamp(3) with time zone,
    title text,
    asked_by text,
    prompts text,
    is_detailed boolean DEFAULT false NOT NULL,
    is_waiting boolean DEFAULT false NOT NULL,
    queue_position integer,
    started_at timestamp(3) with time zone,
    last_line text,
    error text,
    report text,
    diff_stat jsonb,
    usage jsonb,
    pull_request_number integer,
    pull_request_title text,
    pull_request_state text,
    pull_request_checks text,
    pull_request_mergeable boolean,
    pull_request_known_from text,
    pull_request_checked_at timestamp(3) with time zone,
    list_group text GENERATED ALWAYS AS (
CASE
    WHEN (gone_at IS NOT NULL) THEN 'gone'::text
    WHEN (status = 'failed'::text) THEN
    CASE
        WHEN (error = 'cancelled'::text) THEN 'cancelled'::text
        ELSE 'failed'::text
    END
    WHEN (status = 'archived'::text) THEN status
    WHEN (status = 'completed'::text) THEN
    CASE
        WHEN (pr_link IS NULL) THEN 'no_pull_request'::text
        WHEN (pull_request_state = ANY (ARRAY['merged'::text, 'closed'::text])) THEN pull_request_state
        ELSE 'pull_request_ready'::text
    END
    ELSE 'working'::text
END) STORED NOT NULL,
    troubled_at timestamp(3) with time zone GENERATED ALWAYS AS (
CASE
    WHEN (gone_at IS NOT NULL) THEN COALESCE(finished_at, gone_at)
    WHEN ((status = 'failed'::text) AND (error IS DISTINCT FROM 'cancelled'::text)) THEN COALESCE(finished_at, followed_at)
    WHEN ((status = 'completed'::text) AND (pr_link IS NOT NULL) AND ((pull_request_state IS NULL) OR (pull_request_state <> ALL (ARRAY['merged'::text, 'closed'::text])))) THEN COALESCE(finished_at, followed_at)
    ELSE NULL::timestamp with time zone
END) STORED
);
CREATE TABLE public.agent_prompts (
    request_id uuid NOT NULL,
    kind text NOT NULL,
    project_id text NOT NULL,
    job_id text,
    prompt text NOT NULL,
    state text NOT NULL,
    reason text,
    code text,
    sent_by text NOT NULL,
    sent_at timestamp(3) with time zone NOT NULL,
    answered_at timestamp(3) with time zone,
    lease_owner text,
    lease_until timestamp(3) with time zone,
    replaced_by uuid,
    forgotten_at timestamp(3) with time zone,
    connection_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    maintenance jsonb
);
CREATE TABLE public.api_tokens (
    token_id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    token_hash text NOT NULL,
    hint text NOT NULL,
    scope text NOT NULL,
    domains jsonb,
    project_ids jsonb,
    created_by uuid,
    created_by_name text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    connection_ids jsonb,
    may_prompt boolean DEFAULT true NOT NULL
);
CREATE TABLE public.artifacts (
    export_id uuid NOT NULL,
    site_id uuid NOT NULL,
    state text NOT NULL,
    reason text,
    detail text,
    phase text,
    done bigint,
    total bigint,
    sha256 text,
    exported_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    kept boolean DEFAULT false NOT NULL,
    stored_at timestamp(3) with time zone,
    breaks integer,
    leaks integer,
    notes integer,
    new_breaks integer,
    new_leaks integer,
    new_notes integer,
    compared_with uuid,
    pages_added integer,
    pages_removed integer,
    pages_changed integer,
    pages_moved integer
);
CREATE TABLE public.audit_events (
    audit_id bigint NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    actor_kind text NOT NULL,
    actor_id text,
    actor_name text NOT NULL,
    address text,
    request_id uuid,
    action text NOT NULL,
    outcome text NOT NULL,
    target_type text,
    target_id text,
    target_name text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);
ALTER TABLE public.audit_events ALTER COLUMN audit_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_events_audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.audit_seals (
    audit_id bigint NOT NULL,
    hash text NOT NULL
);
CREATE TABLE public.call_answers (
    origin text NOT NULL,
    operation text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    ok_at timestamp(3) with time zone,
    code text,
    message text,
    ms double precision NOT NULL
);
CREATE TABLE public.call_budgets (
    origin text NOT NULL,
    key text NOT NULL,
    tokens double precision NOT NULL,
    at_ms bigint NOT NULL
);
CREATE TABLE public.call_gates (
    origin text NOT NULL,
    calls text NOT NULL,
    state jsonb NOT NULL,
    key text DEFAULT 'main'::text NOT NULL
);
CREATE TABLE public.call_minutes (
    origin text NOT NULL,
    key text NOT NULL,
    minute timestamp(3) with time zone NOT NULL,
    polls integer NOT NULL,
    clicks integer NOT NULL,
    rate_limited integer NOT NULL,
    failed integer NOT NULL
);
CREATE TABLE public.code_hosts (
    code_host_id uuid DEFAULT gen_random_uuid() NOT NULL,
    connection_id uuid NOT NULL,
    kind text NOT NULL,
    url text NOT NULL,
    sealed_token text,
    answered_at timestamp(3) with time zone,
    problem text,
    paused_until timestamp(3) with time zone,
    failures integer DEFAULT 0 NOT NULL,
    hour_began timestamp(3) with time zone,
    reads_in_hour integer DEFAULT 0 NOT NULL,
    added_by text,
    added_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.connection_keys (
    connection_id uuid NOT NULL,
    fingerprint text NOT NULL,
    first_used_at timestamp(3) with time zone NOT NULL,
    last_accepted_at timestamp(3) with time zone,
    last_rejected_at timestamp(3) with time zone,
    check_claimed_at timestamp(3) with time zone,
    check_outcome text,
    check_message text,
    checked_at timestamp(3) with time zone
);
CREATE TABLE public.connection_states (
    origin text NOT NULL,
    state jsonb NOT NULL
);
CREATE TABLE public.connections (
    connection_id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    source text NOT NULL,
    base_url text,
    sealed_key text,
    sealed_read_key text,
    key_file text,
    read_key_file text,
    key_prefix text,
    deployment_kind text NOT NULL,
    calls_per_hour integer NOT NULL,
    timeout_ms integer NOT NULL,
    bundle_hosts jsonb DEFAULT '[]'::jsonb NOT NULL,
    agent_job_creation boolean NOT NULL,
    agent_job_list boolean DEFAULT false NOT NULL,
    colour text,
    production boolean DEFAULT false NOT NULL,
    key_expires_on date,
    paused_at timestamp(3) with time zone,
    gone_at timestamp(3) with time zone,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.grants (
    grant_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid,
    oidc_group text,
    role text NOT NULL,
    connection_id uuid,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT grants_subject CHECK (((user_id IS NULL) <> (oidc_group IS NULL)))
);
CREATE TABLE public.history_events (
    event_id bigint NOT NULL,
    record_type text NOT NULL,
    record_key text NOT NULL,
    kind text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    until timestamp(3) with time zone,
    field text,
    from_value text,
    to_value text,
    by text,
    ending text,
    connection_id uuid
);
ALTER TABLE public.history_events ALTER COLUMN event_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.history_events_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.instance (
    id integer NOT NULL,
    name text NOT NULL,
    moving_secret text,
    secret_check text
);
CREATE TABLE public.list_revisions (
    list text NOT NULL,
    revision bigint NOT NULL,
    tag uuid DEFAULT gen_random_uuid() NOT NULL,
    counts jsonb DEFAULT '{}'::jsonb NOT NULL,
    connection_counts jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE public.one_time_links (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind text NOT NULL,
    token_hash text NOT NULL,
    user_id uuid,
    email text,
    role text,
    created_by text,
    created_by_id uuid,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone
);
CREATE TABLE public.passkeys (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text,
    public_key text NOT NULL,
    user_id uuid NOT NULL,
    credential_id text NOT NULL,
    counter integer NOT NULL,
    device_type text NOT NULL,
    backed_up boolean NOT NULL,
    transports text,
    created_at timestamp(3) with time zone DEFAULT now(),
    aaguid text
);
CREATE TABLE public.preview_violations (
    sha256 text NOT NULL,
    page text NOT NULL,
    directive text NOT NULL,
    target text NOT NULL,
    count integer DEFAULT 1 NOT NULL,
    first_seen_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.previews (
    preview_id uuid DEFAULT gen_random_uuid() NOT NULL,
    export_id uuid NOT NULL,
    sha256 text NOT NULL,
    session_id uuid NOT NULL,
    isolation text NOT NULL,
    label text,
    framed_by text NOT NULL,
    page text NOT NULL,
    ticket_hash text NOT NULL,
    ticket_expires_at timestamp(3) with time zone NOT NULL,
    key_hash text,
    created_at timestamp(3) with time zone NOT NULL,
    opened_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.progress_scales (
    connection_id uuid NOT NULL,
    fractions integer DEFAULT 0 NOT NULL,
    percent boolean DEFAULT false NOT NULL
);
CREATE TABLE public.projects (
    connection_id uuid NOT NULL,
    project_id text NOT NULL,
    name text,
    is_default boolean DEFAULT false NOT NULL
);
CREATE TABLE public.pull_request_reads (
    connection_id uuid NOT NULL,
    project_id text NOT NULL,
    id text NOT NULL,
    link text NOT NULL,
    ready_at timestamp(3) with time zone,
    due_at timestamp(3) with time zone NOT NULL,
    read_at timestamp(3) with time zone,
    failures integer DEFAULT 0 NOT NULL,
    problem text
);
CREATE TABLE public.saved_prompts (
    prompt_id uuid DEFAULT gen_random_uuid() NOT NULL,
    title text NOT NULL,
    text text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    changed_by text NOT NULL,
    changed_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.saved_views (
    view_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    list text NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.sessions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    token text NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    ip_address text,
    user_agent text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.sign_in_accounts (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    account_id text NOT NULL,
    provider_id text NOT NULL,
    user_id uuid NOT NULL,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamp(3) with time zone,
    refresh_token_expires_at timestamp(3) with time zone,
    scope text,
    password text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.sign_in_attempts (
    key text NOT NULL,
    "left" double precision NOT NULL,
    at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.sign_in_verifications (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.sites (
    site_id uuid DEFAULT gen_random_uuid() NOT NULL,
    connection_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    domain text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.static_exports (
    export_id uuid NOT NULL,
    request_id uuid,
    domain text NOT NULL,
    version text,
    paths jsonb,
    state text NOT NULL,
    job_id text,
    status text,
    progress double precision,
    progress_is_percent boolean DEFAULT false NOT NULL,
    page_count integer,
    pages_per_second double precision,
    reason text,
    imported boolean DEFAULT false NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    took_ms bigint,
    gone_at timestamp(3) with time zone,
    replaced_by uuid,
    bundle_size_bytes bigint,
    bundle_sha256 text,
    bundle_prepared_at timestamp(3) with time zone,
    next_check_at timestamp(3) with time zone,
    lease_owner text,
    lease_until timestamp(3) with time zone,
    failures integer DEFAULT 0 NOT NULL,
    changing_since timestamp(3) with time zone,
    unfinished_at timestamp(3) with time zone,
    viewed_until timestamp(3) with time zone,
    checked_at timestamp(3) with time zone,
    check_failure jsonb,
    revision bigint DEFAULT 0 NOT NULL,
    removed_at timestamp(3) with time zone,
    list_group text GENERATED ALWAYS AS (
CASE
    WHEN ((state = ANY (ARRAY['starting'::text, 'accepted'::text])) AND (gone_at IS NULL)) THEN 'active'::text
    WHEN (state = 'accepted'::text) THEN 'gone'::text
    ELSE state
END) STORED NOT NULL,
    troubled_at timestamp(3) with time zone GENERATED ALWAYS AS (
CASE
    WHEN ((state = 'unknown'::text) AND (replaced_by IS NULL)) THEN '9999-01-01 00:00:00+00'::timestamp with time zone
    WHEN (state = ANY (ARRAY['failed'::text, 'refused'::text])) THEN COALESCE(finished_at, started_at)
    WHEN (state = 'accepted'::text) THEN gone_at
    ELSE NULL::timestamp with time zone
END) STORED,
    connection_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    progress_evidence text,
    found_at timestamp(3) with time zone,
    missing_since timestamp(3) with time zone,
    missing_reads integer DEFAULT 0 NOT NULL,
    settled_trouble timestamp(3) with time zone,
    note text,
    note_by text,
    note_at timestamp(3) with time zone
);
CREATE TABLE public.store_processes (
    process_id uuid NOT NULL,
    store text NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.stored_bundles (
    sha256 text NOT NULL,
    state text DEFAULT 'stored'::text NOT NULL,
    writer uuid,
    store text,
    released_at timestamp(3) with time zone,
    ending text NOT NULL,
    size_bytes bigint NOT NULL,
    stored_bytes bigint NOT NULL,
    content_bytes bigint NOT NULL,
    files integer NOT NULL,
    pages integer NOT NULL,
    check_unfinished text,
    stored_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.two_factors (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    secret text NOT NULL,
    backup_codes text NOT NULL,
    verified boolean DEFAULT true NOT NULL,
    failed_verification_count integer DEFAULT 0 NOT NULL,
    locked_until timestamp(3) with time zone
);
CREATE TABLE public.users (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_verified boolean DEFAULT false NOT NULL,
    image text,
    role text DEFAULT 'viewer'::text NOT NULL,
    disabled_at timestamp(3) with time zone,
    two_factor_enabled boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    oidc_groups jsonb DEFAULT '[]'::jsonb NOT NULL,
    may_prompt boolean DEFAULT true NOT NULL
);
CREATE TABLE public.web_files (
    path text NOT NULL,
    bytes bytea NOT NULL,
    brotli bytea,
    gzip bytea,
    used_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE ONLY pgboss.job ATTACH PARTITION pgboss.job_common DEFAULT;
ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20261123 FOR VALUES FROM ('2026-11-23 00:00:00+00') TO ('2026-11-24 00:00:00+00');
ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20261124 FOR VALUES FROM ('2026-11-24 00:00:00+00') TO ('2026-11-25 00:00:00+00');
ALTER TABLE ONLY drizzle.__drizzle_migrations ALTER COLUMN id SET DEFAULT nextval('drizzle.__drizzle_migrations_id_seq'::regclass);
INSERT INTO drizzle.__drizzle_migrations VALUES (1, 'a43a7a10bd308d68b583c70e6d907008063b571c0dc373bd2987f70c9a313ef6', 1795264212017);
INSERT INTO drizzle.__drizzle_migrations VALUES (2, '42115b469b6ad71fb8dbce1fc99dd6bc033845c68e51cd0528325034f2319c44', 1795264213023);
INSERT INTO drizzle.__drizzle_migrations VALUES (3, 'b59f964b4335733f3731bf8c71b5f1f02215a3af2e03e013d722e5383ff1da82', 1795345507396);
INSERT INTO drizzle.__drizzle_migrations VALUES (4, '22c963ea4c9498fcfee75ef0552c4a8025522a848e71cb1052248237c7820f25', 1795345701195);
INSERT INTO drizzle.__drizzle_migrations VALUES (5, '8f8cfff742f1e71859628058dbdeb211bbb42d67473cf5a3cae13a512781c260', 1795370072463);
INSERT INTO drizzle.__drizzle_migrations VALUES (6, 'e50cfd71922688a83e9e927af54a7553a02eabd0dc47a8872f76253734ff76c7', 1795378790385);
INSERT INTO drizzle.__drizzle_migrations VALUES (7, 'd640a76947f0af34224152fb50ed55d984d7f1e9f7dc2a06cb27c69cdd3e77fe', 1795381460363);
INSERT INTO drizzle.__drizzle_migrations VALUES (8, 'd6a16a07a422f2e9234d110655a749e33852a4d8e6d9487f5e96fc47f05ba47b', 1795390225872);
INSERT INTO drizzle.__drizzle_migrations VALUES (9, '1b13c6b6d80b3bdbdbc02e385af43c3e160cbdb0a4af51aafe016c25b5bfd101', 1795390516966);
INSERT INTO drizzle.__drizzle_migrations VALUES (10, '456655e441ec3dedf945af07be12383d73865769333a6f350f972220ad15620b', 1795403728177);
INSERT INTO drizzle.__drizzle_migrations VALUES (11, '2686491df81197e57868fb28c9dfb17d5d36aeb1cdad16f06e72ca71fb6dff1f', 1795404560613);
INSERT INTO drizzle.__drizzle_migrations VALUES (12, 'adc75b5371ab4e36388d7536736133e38eddb46ee8f072c5850fd7ae2b9d0ff4', 1795406605199);
INSERT INTO drizzle.__drizzle_migrations VALUES (13, '1e077f7632b65b432dce63e9e291a087f0c6a6cd9ac8879f3b75d1fae2c6c8d4', 1795407134460);
INSERT INTO drizzle.__drizzle_migrations VALUES (14, '65d145b3001bc69a3e5c228a91c343fc56e053c84a77e915cb752bd14994c64b', 1795416610688);
INSERT INTO drizzle.__drizzle_migrations VALUES (15, 'cf24d199cab00c635b264bd768d74c7c22807f64f2e7716fd9cdf22b1ad47468', 1795417551382);
INSERT INTO pgboss.job_common VALUES ('c20cf7a9-7e1e-4706-a7e4-d4108d38fe5f', 'docket-often', 0, '{"name": "seal-audit"}', 'completed', 0, 0, 0, false, NULL, 3600, 3600, 'seal-audit', NULL, NULL, NULL, '2026-11-23 21:22:09.109924+00', '2026-11-23 21:22:09.109924+00', '2026-11-23 21:22:09.128084+00', '2026-11-23 21:22:09.186547+00', '2026-12-07 21:22:09.109924+00', NULL, NULL, 'short', '2026-11-23 21:22:09.128084+00', NULL, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('8cd09986-f1c8-4693-9a69-43d454d8f930', 'docket-often', 0, '{"name": "seal-audit"}', 'completed', 0, 0, 0, false, NULL, 3600, 3600, 'seal-audit', NULL, NULL, NULL, '2026-11-23 21:22:11.049074+00', '2026-11-23 21:22:11.049074+00', '2026-11-23 21:22:11.075697+00', '2026-11-23 21:22:11.12228+00', '2026-12-07 21:22:11.049074+00', NULL, NULL, 'short', '2026-11-23 21:22:11.075697+00', NULL, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('b243ad2d-b03b-41e9-bdd1-af6fcd2bffdd', 'docket-often', 0, '{"name": "seal-audit"}', 'completed', 0, 0, 0, false, NULL, 3600, 3600, 'seal-audit', NULL, NULL, NULL, '2026-11-23 21:22:13.212964+00', '2026-11-23 21:22:13.212964+00', '2026-11-23 21:22:13.283411+00', '2026-11-23 21:22:13.483534+00', '2026-12-07 21:22:13.212964+00', NULL, NULL, 'short', '2026-11-23 21:22:13.283411+00', NULL, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('1c656f5e-1eac-4dfa-9bd4-5d2b094449aa', 'docket-often', 0, '{"name": "seal-audit"}', 'completed', 0, 0, 0, false, NULL, 3600, 3600, 'seal-audit', NULL, NULL, NULL, '2026-11-23 21:22:18.318905+00', '2026-11-23 21:22:18.318905+00', '2026-11-23 21:22:18.352346+00', '2026-11-23 21:22:18.443575+00', '2026-12-07 21:22:18.318905+00', NULL, NULL, 'short', '2026-11-23 21:22:18.352346+00', NULL, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('35f21f66-5d62-4e0f-af2c-70c305bd884a', 'docket-bundles', 0, '{"key": "f61ddca1-f0a3-4135-9370-d189209594ae"}', 'completed', 1000, 0, 30, true, 1800, 21600, 3600, 'f61ddca1-f0a3-4135-9370-d189209594ae', NULL, NULL, NULL, '2026-11-23 21:22:17.098583+00', '2026-11-23 21:22:17.098583+00', '2026-11-23 21:22:17.146934+00', '2026-11-23 21:22:20.262409+00', '2026-12-07 21:22:17.098583+00', NULL, NULL, 'exclusive', '2026-11-23 21:22:17.146934+00', 60, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('a03b138f-4fb9-483c-bb19-72dec5c5ea00', 'docket-bundles', 0, '{"key": "3aeaf8a8-f37e-4d84-b5a5-ecf551a0cb58"}', 'completed', 1000, 0, 30, true, 1800, 21600, 3600, '3aeaf8a8-f37e-4d84-b5a5-ecf551a0cb58', NULL, NULL, NULL, '2026-11-23 21:22:23.193964+00', '2026-11-23 21:22:23.193964+00', '2026-11-23 21:22:23.204871+00', '2026-11-23 21:22:23.552485+00', '2026-12-07 21:22:23.193964+00', NULL, NULL, 'exclusive', '2026-11-23 21:22:23.204871+00', 60, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('6abefa48-a35c-4c4a-bd51-c6eb8a4de974', 'docket-often', 0, '{"name": "seal-audit"}', 'completed', 0, 0, 0, false, NULL, 3600, 3600, 'seal-audit', NULL, NULL, NULL, '2026-11-23 21:22:24.294602+00', '2026-11-23 21:22:24.294602+00', '2026-11-23 21:22:24.322565+00', '2026-11-23 21:22:24.439014+00', '2026-12-07 21:22:24.294602+00', NULL, NULL, 'short', '2026-11-23 21:22:24.322565+00', NULL, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('57e81c79-6833-420c-863b-5ca3665b4a60', 'docket-often', 0, '{"name": "seal-audit"}', 'completed', 0, 0, 0, false, NULL, 3600, 3600, 'seal-audit', NULL, NULL, NULL, '2026-11-23 21:22:30.370374+00', '2026-11-23 21:22:30.370374+00', '2026-11-23 21:22:30.375135+00', '2026-11-23 21:22:30.41358+00', '2026-12-07 21:22:30.370374+00', NULL, NULL, 'short', '2026-11-23 21:22:30.375135+00', NULL, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.queue VALUES ('__pgboss__send-it', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 21:22:08.128203+00', '2026-11-23 21:22:08.128203+00');
INSERT INTO pgboss.queue VALUES ('docket', 'exclusive', 5, 60, true, 3600, 3600, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 60, false, NULL, NULL, NULL, NULL, '2026-11-23 21:22:08.190767+00', '2026-11-23 21:22:08.190767+00');
INSERT INTO pgboss.queue VALUES ('docket-often', 'short', 0, 0, false, NULL, 3600, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 21:22:08.836593+00', '2026-11-23 21:22:08.836593+00');
INSERT INTO pgboss.queue VALUES ('docket-bundles', 'exclusive', 1000, 30, true, 1800, 21600, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 60, false, NULL, NULL, NULL, NULL, '2026-11-23 21:22:08.883888+00', '2026-11-23 21:22:08.883888+00');
INSERT INTO pgboss.schedule VALUES ('docket', 'old-artifacts', 'cron', '23 * * * *', 'UTC', '{"name": "old-artifacts"}', '{"tz": "UTC", "key": "old-artifacts", "missed": "once", "singletonKey": "old-artifacts"}', '2026-11-23 21:22:08.27063+00', '2026-11-23 21:22:08.27063+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'unused-bundles', 'cron', '*/10 * * * *', 'UTC', '{"name": "unused-bundles"}', '{"tz": "UTC", "key": "unused-bundles", "missed": "once", "singletonKey": "unused-bundles"}', '2026-11-23 21:22:08.288081+00', '2026-11-23 21:22:08.288081+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'removed-exports', 'cron', '7 3 * * *', 'UTC', '{"name": "removed-exports"}', '{"tz": "UTC", "key": "removed-exports", "missed": "once", "singletonKey": "removed-exports"}', '2026-11-23 21:22:08.33876+00', '2026-11-23 21:22:08.33876+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'removed-jobs', 'cron', '17 3 * * *', 'UTC', '{"name": "removed-jobs"}', '{"tz": "UTC", "key": "removed-jobs", "missed": "once", "singletonKey": "removed-jobs"}', '2026-11-23 21:22:08.405488+00', '2026-11-23 21:22:08.405488+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'old-history', 'cron', '37 3 * * *', 'UTC', '{"name": "old-history"}', '{"tz": "UTC", "key": "old-history", "missed": "once", "singletonKey": "old-history"}', '2026-11-23 21:22:08.468526+00', '2026-11-23 21:22:08.468526+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'old-audit', 'cron', '47 3 * * *', 'UTC', '{"name": "old-audit"}', '{"tz": "UTC", "key": "old-audit", "missed": "once", "singletonKey": "old-audit"}', '2026-11-23 21:22:08.493633+00', '2026-11-23 21:22:08.493633+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'old-builds', 'cron', '57 3 * * *', 'UTC', '{"name": "old-builds"}', '{"tz": "UTC", "key": "old-builds", "missed": "once", "singletonKey": "old-builds"}', '2026-11-23 21:22:08.518705+00', '2026-11-23 21:22:08.518705+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'ended-sign-ins', 'cron', '47 * * * *', 'UTC', '{"name": "ended-sign-ins"}', '{"tz": "UTC", "key": "ended-sign-ins", "missed": "once", "singletonKey": "ended-sign-ins"}', '2026-11-23 21:22:08.533618+00', '2026-11-23 21:22:08.533618+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'ended-previews', 'cron', '52 * * * *', 'UTC', '{"name": "ended-previews"}', '{"tz": "UTC", "key": "ended-previews", "missed": "once", "singletonKey": "ended-previews"}', '2026-11-23 21:22:08.557111+00', '2026-11-23 21:22:08.557111+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'old-calls', 'cron', '27 * * * *', 'UTC', '{"name": "old-calls"}', '{"tz": "UTC", "key": "old-calls", "missed": "once", "singletonKey": "old-calls"}', '2026-11-23 21:22:08.633175+00', '2026-11-23 21:22:08.633175+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket-often', 'seal-audit', 'cron', '*/5 * * * *', 'UTC', '{"name": "seal-audit"}', '{"tz": "UTC", "key": "seal-audit", "missed": "once", "singletonKey": "seal-audit"}', '2026-11-23 21:22:08.878719+00', '2026-11-23 21:22:08.878719+00', NULL);
INSERT INTO pgboss.version VALUES (41, '2026-11-23 21:22:08.204932+00', '2026-11-23 21:22:08.134932+00', '2026-11-23 21:22:08.206631+00', NULL, NULL);
INSERT INTO public.agent_jobs VALUES ('docs', 'cc8ed1c5-d9fb-4f69-acc2-a97f423e3932', 'completed', 'http://127.0.0.1:43447/code/docs', 'docs-agent/cc8ed1c5-d9fb-4f69-acc2-a97f423e3932', 'maintenance, no model', NULL, '2026-11-23 21:22:23.343+00', NULL, '2026-11-23 21:22:23.431+00', '2026-11-23 21:22:29.081+00', 5738, NULL, '2026-11-23 21:23:29.081+00', NULL, NULL, 0, '2026-11-23 21:22:23.343+00', '2026-11-23 21:22:28.642+00', '2026-11-23 21:23:30.685+00', '2026-11-23 21:22:30.775+00', NULL, 4, NULL, '20b8a7d7-602e-4d67-b066-13824c7bf368', '2026-11-23 21:22:24.105+00', NULL, 0, DEFAULT, NULL, NULL, NULL, NULL, 'Fix typos', 'grace', 'Fix typos', true, false, NULL, '2026-11-23 21:22:23.389+00', NULL, NULL, 'Nothing to change.
No typo to fix.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, DEFAULT);
INSERT INTO public.agent_prompts VALUES ('00000000-0000-4000-8000-000000000003', 'creation', 'docs', 'cc8ed1c5-d9fb-4f69-acc2-a97f423e3932', 'Fix typos', 'accepted', NULL, NULL, 'grace', '2026-11-23 21:22:23.243+00', '2026-11-23 21:22:23.431+00', NULL, NULL, NULL, NULL, '20b8a7d7-602e-4d67-b066-13824c7bf368', '{"action": "fix_typos"}');
INSERT INTO public.api_tokens VALUES ('4450cfe6-5a7f-4886-a19c-93c2aa4d379b', 'nightly', '5bee3e901b331233e4120c367f66f3e479bc92cd9ef1f9f221789feefce422cf', 'iEID', 'operate', NULL, NULL, '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '2026-11-23 21:22:12.236+00', '2026-12-23 21:22:12.236+00', NULL, NULL, NULL, true);
INSERT INTO public.artifacts VALUES ('f61ddca1-f0a3-4135-9370-d189209594ae', '95273c49-008d-4ca6-9a65-f006ea18b553', 'stored', NULL, NULL, NULL, NULL, NULL, '20652ebc8cec77a7d923eb818b62b71ed5775388e8def9c63e8dcffda0e8a423', '2026-11-23 21:22:12.344+00', 1, false, '2026-11-23 21:22:20.123+00', 0, 0, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.artifacts VALUES ('3aeaf8a8-f37e-4d84-b5a5-ecf551a0cb58', '95273c49-008d-4ca6-9a65-f006ea18b553', 'stored', NULL, NULL, NULL, NULL, NULL, '20652ebc8cec77a7d923eb818b62b71ed5775388e8def9c63e8dcffda0e8a423', '2026-11-23 21:22:17.179+00', 1, false, '2026-11-23 21:22:23.344+00', 0, 0, 1, 0, 0, 0, 'f61ddca1-f0a3-4135-9370-d189209594ae', 0, 0, 0, 0);
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (1, '2026-11-23 21:22:06.381+00', 'docket', NULL, 'Docket', NULL, NULL, 'user.created', 'ok', 'user', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '{"from": "SETUP_ADMIN_EMAIL", "role": "admin", "first": true}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (2, '2026-11-23 21:22:08.82+00', 'person', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '127.0.0.1', '052adf95-cb60-4de1-9dba-aea31bfd04f2', 'session.signed_in', 'ok', 'user', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '{"with": "password"}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (3, '2026-11-23 21:22:12.101+00', 'person', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '127.0.0.1', 'e7ed42b0-23f9-4085-adca-896a11125b52', 'user.second_factor_added', 'ok', 'user', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '{}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (4, '2026-11-23 21:22:12.236+00', 'person', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '127.0.0.1', 'fa3fa5f6-7382-4915-828e-175cb2f68d7b', 'api_token.created', 'ok', 'api_token', '4450cfe6-5a7f-4886-a19c-93c2aa4d379b', 'nightly', '{"scope": "operate", "domains": null, "projects": null, "expiresInDays": 30}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (5, '2026-11-23 21:22:12.344+00', 'person', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '127.0.0.1', 'c56e8a05-6291-4021-bfb6-c5109befd5ee', 'static_export.started', 'ok', 'static_export', 'f61ddca1-f0a3-4135-9370-d189209594ae', 'docs.example.com', '{}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (6, '2026-11-23 21:22:17.179+00', 'person', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '127.0.0.1', '6638e8c2-2f24-43b3-8a19-a6a6582b8998', 'static_export.started', 'ok', 'static_export', '3aeaf8a8-f37e-4d84-b5a5-ecf551a0cb58', 'docs.example.com', '{}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (7, '2026-11-23 21:22:23.243+00', 'person', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '127.0.0.1', '5e8c8048-c74f-4fbc-9966-af06d090322c', 'agent_job.requested', 'ok', 'agent_job', NULL, 'docs', '{"characters": 9}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (8, '2026-11-23 21:22:23.431+00', 'person', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '127.0.0.1', '5e8c8048-c74f-4fbc-9966-af06d090322c', 'agent_job.created', 'ok', 'agent_job', 'cc8ed1c5-d9fb-4f69-acc2-a97f423e3932', 'docs/cc8ed1c5-d9fb-4f69-acc2-a97f423e3932', '{}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (9, '2026-11-23 21:22:29.367+00', 'person', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '127.0.0.1', 'fc5daf0f-9efd-4547-af7a-1826bb7e645f', 'connection.added', 'ok', 'connection', '7b35d47f-6b2b-4e73-acce-e715c8624b7c', 'Handbook', '{"address": "https://handbook.example.com", "production": false}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (10, '2026-11-23 21:22:29.502+00', 'person', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', '127.0.0.1', 'e2b5766a-fc22-411f-a6fd-2eb2e0fbb43c', 'saved_view.created', 'ok', 'saved_view', '21bfb163-d360-4daa-a464-9a0e7049027e', 'Failures', '{"list": "exports"}');
INSERT INTO public.audit_seals VALUES (1, 'f23d3964887e96173fa41a832b4a6a71ca21132fda18e58bc0c0fe7e95aa9257');
INSERT INTO public.audit_seals VALUES (2, 'ae9e661aeabee08ac8089d47fc446febf5c96efd042e34fc8932a260a5080496');
INSERT INTO public.audit_seals VALUES (3, '7d20cfe46723636a18ab74a3840a1b6cfafcc4dad0b7b49d41ce4f1f6fdaf68e');
INSERT INTO public.audit_seals VALUES (4, '90696de46b2256cbadff4f9f427920fd9d49c3d661fd2ce714247f79b5b06909');
INSERT INTO public.audit_seals VALUES (5, '93a0e6ce25fa16635f07f5ff6414a13857b3cbd502a68551883fdc28be816638');
INSERT INTO public.audit_seals VALUES (6, 'e876abd618f63531771d9ede0a912fb63f4caee5a3892bf255fb128f51ebb5b0');
INSERT INTO public.audit_seals VALUES (7, '830a70f30842c5685fb5ec6310dbeba33d3b138fa5c562df1d26eb4f4fa60d3c');
INSERT INTO public.audit_seals VALUES (8, '1b78884c31f648000d285c4521436f15cb06d01a703a90fc126ad28bfb331680');
INSERT INTO public.audit_seals VALUES (9, '685f949e709fa0caa527c926561c4cd26c34d7062ccb5895da48e4f0a383541f');
INSERT INTO public.audit_seals VALUES (10, 'd3421d5bf6b8a39293cfcbdb56b5d2fddc3bd49da63150ae39a268cb92521224');
INSERT INTO public.call_answers VALUES ('20b8a7d7-602e-4d67-b066-13824c7bf368', 'startStaticExport', '2026-11-23 21:22:17.341+00', '2026-11-23 21:22:17.341+00', NULL, NULL, 21.23744799999986);
INSERT INTO public.call_answers VALUES ('20b8a7d7-602e-4d67-b066-13824c7bf368', 'getStaticExport', '2026-11-23 21:22:22.948+00', '2026-11-23 21:22:22.948+00', NULL, NULL, 7.1232510000008915);
INSERT INTO public.call_answers VALUES ('20b8a7d7-602e-4d67-b066-13824c7bf368', 'createAgentJob', '2026-11-23 21:22:23.421+00', '2026-11-23 21:22:23.421+00', NULL, NULL, 108.37403399999675);
INSERT INTO public.call_answers VALUES ('20b8a7d7-602e-4d67-b066-13824c7bf368', 'getAgentJob', '2026-11-23 21:22:30.775+00', '2026-11-23 21:22:30.775+00', NULL, NULL, 15.04032300000108);
INSERT INTO public.call_answers VALUES ('7b35d47f-6b2b-4e73-acce-e715c8624b7c', 'getStaticExport', '2026-11-23 21:22:31.204+00', NULL, 'upstream_unavailable', 'No connection: its name is unknown (ENOTFOUND). Check the address in Settings › Connections and the network. Address: https://handbook.example.com.', 46.27615199999855);
INSERT INTO public.call_budgets VALUES ('20b8a7d7-602e-4d67-b066-13824c7bf368', 'main', 179, 1795468950712);
INSERT INTO public.call_budgets VALUES ('7b35d47f-6b2b-4e73-acce-e715c8624b7c', 'main', 79, 1795468951150);
INSERT INTO public.call_gates VALUES ('20b8a7d7-602e-4d67-b066-13824c7bf368', 'static_exports', '{"pause": null, "closed": null, "outage": 0, "closings": 0, "lastGoodMs": 1795468933136, "probeUntilMs": null}', 'main');
INSERT INTO public.call_gates VALUES ('20b8a7d7-602e-4d67-b066-13824c7bf368', 'agent_prompts', '{"pause": null, "closed": null, "outage": 0, "closings": 0, "lastGoodMs": null, "probeUntilMs": null}', 'main');
INSERT INTO public.call_gates VALUES ('20b8a7d7-602e-4d67-b066-13824c7bf368', 'agent_jobs', '{"pause": null, "closed": null, "outage": 0, "closings": 0, "lastGoodMs": 1795468944094, "probeUntilMs": null}', 'main');
INSERT INTO public.call_gates VALUES ('7b35d47f-6b2b-4e73-acce-e715c8624b7c', 'agent_jobs', '{"pause": null, "closed": null, "outage": 0, "closings": 0, "lastGoodMs": null, "probeUntilMs": null}', 'main');
INSERT INTO public.call_gates VALUES ('7b35d47f-6b2b-4e73-acce-e715c8624b7c', 'static_exports', '{"pause": null, "closed": null, "outage": 1, "closings": 0, "lastGoodMs": null, "probeUntilMs": null}', 'main');
INSERT INTO public.call_minutes VALUES ('20b8a7d7-602e-4d67-b066-13824c7bf368', 'main', '2026-11-23 21:22:00+00', 38, 3, 0, 0);
INSERT INTO public.call_minutes VALUES ('7b35d47f-6b2b-4e73-acce-e715c8624b7c', 'main', '2026-11-23 21:22:00+00', 0, 1, 0, 1);
INSERT INTO public.connection_keys VALUES ('7b35d47f-6b2b-4e73-acce-e715c8624b7c', 'f06f63bd5654b4735381d7bd83f94343', '2026-11-23 21:22:31.143+00', NULL, NULL, NULL, 'not_proven', 'Docket couldn’t test the key. No connection: its name is unknown (ENOTFOUND). Check the address in Settings › Connections and the network. Address: https://handbook.example.com.', '2026-11-23 21:22:31.243+00');
INSERT INTO public.connection_states VALUES ('20b8a7d7-602e-4d67-b066-13824c7bf368', '{"shown": {"state": "ok", "message": null}, "sinceMs": 1795468932560, "lastOkMs": 1795468950775, "forbidden": {}, "keyTroubles": {}}');
INSERT INTO public.connection_states VALUES ('7b35d47f-6b2b-4e73-acce-e715c8624b7c', '{"shown": {"state": "unreachable", "message": "No connection: its name is unknown (ENOTFOUND). Check the address in Settings › Connections and the network. Address: https://handbook.example.com."}, "sinceMs": 1795468951204, "lastOkMs": null, "forbidden": {}, "keyTroubles": {}}');
INSERT INTO public.connections VALUES ('00000000-0000-0000-0000-000000000000', 'Unassigned', 'unassigned', 'docket', NULL, NULL, NULL, NULL, NULL, NULL, 'cloud', 0, 30000, '[]', false, false, NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 21:22:01.286+00');
INSERT INTO public.connections VALUES ('20b8a7d7-602e-4d67-b066-13824c7bf368', 'This machine', 'embedded', 'docket', NULL, NULL, NULL, NULL, NULL, NULL, 'cloud', 36000, 30000, '[]', true, true, NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 21:22:06.296+00');
INSERT INTO public.connections VALUES ('7b35d47f-6b2b-4e73-acce-e715c8624b7c', 'Handbook', 'service', 'settings', 'https://handbook.example.com', '$ba$209187622059651$7d1110e569fea62f4077abdec864412ff3184b2d166ab3095edfaf4f16a2bd9421e1ab42f94dd4fe538d32f92a40', NULL, NULL, NULL, NULL, 'cloud', 3600, 30000, '[]', false, false, NULL, false, NULL, NULL, NULL, 'grace', '2026-11-23 21:22:29.359+00');
INSERT INTO public.grants VALUES ('f9825e27-b12f-4fa6-99a7-c26e6617df74', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', NULL, 'admin', NULL, NULL, '2026-11-23 21:22:07.927+00');
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (1, 'static_export', 'f61ddca1-f0a3-4135-9370-d189209594ae', 'requested', '2026-11-23 21:22:12.344+00', NULL, NULL, NULL, NULL, 'grace', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (2, 'static_export', 'f61ddca1-f0a3-4135-9370-d189209594ae', 'accepted', '2026-11-23 21:22:12.57+00', NULL, NULL, NULL, '9e57166b-aa2a-462d-ac3b-92766cb6225e', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (3, 'static_export', 'f61ddca1-f0a3-4135-9370-d189209594ae', 'status_changed', '2026-11-23 21:22:12.57+00', NULL, NULL, NULL, 'queued', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (4, 'static_export', 'f61ddca1-f0a3-4135-9370-d189209594ae', 'status_changed', '2026-11-23 21:22:13.24+00', NULL, NULL, 'queued', 'running', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (5, 'static_export', 'f61ddca1-f0a3-4135-9370-d189209594ae', 'progressed', '2026-11-23 21:22:16.435+00', NULL, NULL, NULL, '50', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (6, 'static_export', 'f61ddca1-f0a3-4135-9370-d189209594ae', 'completed', '2026-11-23 21:22:16.87+00', NULL, NULL, NULL, NULL, NULL, 'completed', NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (7, 'static_export', '3aeaf8a8-f37e-4d84-b5a5-ecf551a0cb58', 'requested', '2026-11-23 21:22:17.179+00', NULL, NULL, NULL, NULL, 'grace', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (8, 'static_export', '3aeaf8a8-f37e-4d84-b5a5-ecf551a0cb58', 'accepted', '2026-11-23 21:22:17.35+00', NULL, NULL, NULL, '5836bd45-380b-49c8-b38a-a35568c2e40b', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (9, 'static_export', '3aeaf8a8-f37e-4d84-b5a5-ecf551a0cb58', 'status_changed', '2026-11-23 21:22:17.35+00', NULL, NULL, NULL, 'queued', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (10, 'static_export', '3aeaf8a8-f37e-4d84-b5a5-ecf551a0cb58', 'status_changed', '2026-11-23 21:22:17.754+00', NULL, NULL, 'queued', 'running', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (11, 'static_export', 'f61ddca1-f0a3-4135-9370-d189209594ae', 'bundle_stored', '2026-11-23 21:22:20.123+00', NULL, NULL, NULL, '20652ebc8cec77a7d923eb818b62b71ed5775388e8def9c63e8dcffda0e8a423', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (12, 'static_export', '3aeaf8a8-f37e-4d84-b5a5-ecf551a0cb58', 'progressed', '2026-11-23 21:22:22.578+00', NULL, NULL, NULL, '75', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (13, 'static_export', '3aeaf8a8-f37e-4d84-b5a5-ecf551a0cb58', 'completed', '2026-11-23 21:22:22.99+00', NULL, NULL, NULL, NULL, NULL, 'completed', NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (14, 'static_export', '3aeaf8a8-f37e-4d84-b5a5-ecf551a0cb58', 'bundle_stored', '2026-11-23 21:22:23.344+00', NULL, NULL, NULL, '20652ebc8cec77a7d923eb818b62b71ed5775388e8def9c63e8dcffda0e8a423', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (15, 'agent_job', '["docs","cc8ed1c5-d9fb-4f69-acc2-a97f423e3932"]', 'created', '2026-11-23 21:22:23.431+00', NULL, NULL, NULL, 'active', 'grace', NULL, '20b8a7d7-602e-4d67-b066-13824c7bf368');
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (16, 'agent_job', '["docs","cc8ed1c5-d9fb-4f69-acc2-a97f423e3932"]', 'begun', '2026-11-23 21:22:24.131+00', NULL, NULL, NULL, NULL, NULL, NULL, '20b8a7d7-602e-4d67-b066-13824c7bf368');
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (17, 'agent_job', '["docs","cc8ed1c5-d9fb-4f69-acc2-a97f423e3932"]', 'completed', '2026-11-23 21:22:29.085+00', NULL, NULL, 'active', NULL, NULL, NULL, '20b8a7d7-602e-4d67-b066-13824c7bf368');
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (18, 'agent_job', '["docs","cc8ed1c5-d9fb-4f69-acc2-a97f423e3932"]', 'no_pull_request', '2026-11-23 21:22:29.085+00', NULL, NULL, NULL, NULL, NULL, 'no_pull_request', '20b8a7d7-602e-4d67-b066-13824c7bf368');
INSERT INTO public.instance VALUES (1, '06cd4733', NULL, '5f2ceec6f3e5a551043cceeba8be93df3579749e976f1d0f316cdbfa16a96d54');
INSERT INTO public.list_revisions VALUES ('accounts', 7, 'e61ef343-8996-4444-81f0-47fc4326bc94', '{}', '{}');
INSERT INTO public.list_revisions VALUES ('static_exports', 16, '9a76566c-e456-41b9-ad89-11fda08ee73a', '{"completed": 2}', '{"20b8a7d7-602e-4d67-b066-13824c7bf368/completed": 2}');
INSERT INTO public.list_revisions VALUES ('agent_jobs', 4, '3b8db06e-5817-40e5-bb53-ef6c197381a4', '{"no_pull_request": 1}', '{"20b8a7d7-602e-4d67-b066-13824c7bf368/no_pull_request": 1}');
INSERT INTO public.list_revisions VALUES ('connections', 3, '9e751523-b311-4c34-a0c8-dcaf22024072', '{}', '{}');
INSERT INTO public.progress_scales VALUES ('20b8a7d7-602e-4d67-b066-13824c7bf368', 0, true);
INSERT INTO public.saved_views VALUES ('21bfb163-d360-4daa-a464-9a0e7049027e', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'exports', 'Failures', 'group=failed', '2026-11-23 21:22:29.498+00');
INSERT INTO public.sessions VALUES ('a16772bd-52fb-4cc8-a749-b03be16acb27', 'c3cf3264cc970828daf5acf68c73c8cc9c1b504b5e032ebad866d65dd2f8e7ae', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', '2026-12-23 21:22:12.101+00', '127.0.0.1', 'node', '2026-11-23 21:22:12.101+00', '2026-11-23 21:22:12.101+00');
INSERT INTO public.sign_in_accounts VALUES ('92a6b0fb-518c-4ea8-960c-d66a36d3d940', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'credential', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', NULL, NULL, NULL, NULL, NULL, NULL, '$argon2id$v=19$m=65536,t=3,p=1$k9lJVIVd/o1F54JPxzCnkA$RmczAdDogayg4Egr2tMfhmhsgchgs59C6i8/SgdIQ6E', '2026-11-23 21:22:07.927+00', '2026-11-23 21:22:07.927+00');
INSERT INTO public.sign_in_attempts VALUES ('983f98a7a48c54dd666014e9f70b50547a79e4d8034bcf945c97cc23848e1f3e', 39, '2026-11-23 21:22:08.872+00');
INSERT INTO public.sign_in_verifications VALUES ('812ddb05-999a-4484-bbff-426b76bbed69', 'used-code:18805646-8ae9-4b23-86a8-3c5d39f23ed0:842280', '', '2026-11-23 21:25:12.101+00', '2026-11-23 21:22:12.141+00', '2026-11-23 21:22:12.141+00');
INSERT INTO public.sites VALUES ('95273c49-008d-4ca6-9a65-f006ea18b553', '20b8a7d7-602e-4d67-b066-13824c7bf368', 'docs.example.com', '2026-11-23 21:22:16.855+00');
INSERT INTO public.static_exports VALUES ('f61ddca1-f0a3-4135-9370-d189209594ae', '00000000-0000-4000-8000-000000000001', 'docs.example.com', NULL, NULL, 'completed', '9e57166b-aa2a-462d-ac3b-92766cb6225e', 'completed', 100, true, 1, 1.2953367875647668, NULL, false, '2026-11-23 21:22:12.344+00', '2026-11-23 21:22:16.773+00', 4429, NULL, NULL, 39774, '20652ebc8cec77a7d923eb818b62b71ed5775388e8def9c63e8dcffda0e8a423', NULL, NULL, NULL, NULL, 0, '2026-11-23 21:22:12.344+00', '2026-11-23 21:22:16.387+00', '2026-11-23 21:23:14.825+00', '2026-11-23 21:22:16.773+00', NULL, 12, NULL, DEFAULT, DEFAULT, '20b8a7d7-602e-4d67-b066-13824c7bf368', NULL, '2026-11-23 21:22:13.155+00', NULL, 0, NULL, NULL, NULL, NULL);
INSERT INTO public.static_exports VALUES ('3aeaf8a8-f37e-4d84-b5a5-ecf551a0cb58', '00000000-0000-4000-8000-000000000002', 'docs.example.com', NULL, NULL, 'completed', '5836bd45-380b-49c8-b38a-a35568c2e40b', 'completed', 100, true, 1, 0.5422993492407809, NULL, false, '2026-11-23 21:22:17.179+00', '2026-11-23 21:22:22.948+00', 5769, NULL, NULL, 39774, '20652ebc8cec77a7d923eb818b62b71ed5775388e8def9c63e8dcffda0e8a423', NULL, NULL, NULL, NULL, 0, '2026-11-23 21:22:17.179+00', '2026-11-23 21:22:22.541+00', '2026-11-23 21:23:19.465+00', '2026-11-23 21:22:22.948+00', NULL, 16, NULL, DEFAULT, DEFAULT, '20b8a7d7-602e-4d67-b066-13824c7bf368', NULL, '2026-11-23 21:22:17.73+00', NULL, 0, NULL, NULL, NULL, NULL);
INSERT INTO public.stored_bundles VALUES ('20652ebc8cec77a7d923eb818b62b71ed5775388e8def9c63e8dcffda0e8a423', 'stored', NULL, '75a41cae-12e3-44aa-aff4-fe1051d35f19', NULL, '.tar.gz', 39774, 84865, 174167, 16, 1, NULL, '2026-11-23 21:22:20.123+00');
INSERT INTO public.two_factors VALUES ('116e41c6-09eb-4cc5-bf47-7b021a077340', '18805646-8ae9-4b23-86a8-3c5d39f23ed0', '$ba$209187622059651$4051f036c59dfe7ea063ba1724777e94cd0b1514f6b11ceeb9ac2e49f32bd37d05b6bf215b86dcaed79ca9ff413f5c03321b9105b0047338be6f245f4e2f030c2c5c5e848faf8dba', '$ba$209187622059651$4655ff6554cdece3a172562cc8678377699e6af1ee743781429d7101f431a7bc82fb1b761a0224717a689c7c9034f2e076c431ace835871f6ab840923d0b439e86da141735ba73fbaaa53105bed70eef8f6778f8eaa812c8a8e99d87754cd881a8e5291a90e88b6c5377958b6a4a347b30ef9174b780c9e3fa3d2267ac8543026e9fdd05920788c67367e1dbf4158694d8360493ffadcc93b6ce294c3c52be1ab4eb8cec8a85f9b0893ccdef9f66f917bfc324f6c1', true, 0, NULL);
INSERT INTO public.users VALUES ('18805646-8ae9-4b23-86a8-3c5d39f23ed0', 'grace', 'grace@example.com', false, NULL, 'admin', NULL, true, '2026-11-23 21:22:06.381+00', '2026-11-23 21:22:12.101+00', '[]', true);
SELECT pg_catalog.setval('drizzle.__drizzle_migrations_id_seq', 15, true);
SELECT pg_catalog.setval('public.audit_events_audit_id_seq', 10, true);
SELECT pg_catalog.setval('public.history_events_event_id_seq', 18, true);
ALTER TABLE ONLY drizzle.__drizzle_migrations
    ADD CONSTRAINT __drizzle_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pgboss.bam
    ADD CONSTRAINT bam_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pgboss.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (name, id);
ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT job_common_pkey PRIMARY KEY (name, id);
ALTER TABLE ONLY pgboss.job_dependency
    ADD CONSTRAINT job_dependency_pkey PRIMARY KEY (child_name, child_id, parent_name, parent_id);
ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (name);
ALTER TABLE ONLY pgboss.queue_stats
    ADD CONSTRAINT queue_stats_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY pgboss.queue_stats_20261123
    ADD CONSTRAINT queue_stats_20261123_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY pgboss.queue_stats_20261124
    ADD CONSTRAINT queue_stats_20261124_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (name, key);
ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (event, name);
ALTER TABLE ONLY pgboss.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY pgboss.warning
    ADD CONSTRAINT warning_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accepted_findings
    ADD CONSTRAINT accepted_findings_site_id_fingerprint_pk PRIMARY KEY (site_id, fingerprint);
ALTER TABLE ONLY public.agent_jobs
    ADD CONSTRAINT agent_jobs_connection_id_project_id_id_pk PRIMARY KEY (connection_id, project_id, id);
ALTER TABLE ONLY public.agent_prompts
    ADD CONSTRAINT agent_prompts_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (token_id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_token_hash_unique UNIQUE (token_hash);
ALTER TABLE ONLY public.artifacts
    ADD CONSTRAINT artifacts_pkey PRIMARY KEY (export_id);
ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_pkey PRIMARY KEY (audit_id);
ALTER TABLE ONLY public.audit_seals
    ADD CONSTRAINT audit_seals_pkey PRIMARY KEY (audit_id);
ALTER TABLE ONLY public.call_answers
    ADD CONSTRAINT call_answers_origin_operation_pk PRIMARY KEY (origin, operation);
ALTER TABLE ONLY public.call_budgets
    ADD CONSTRAINT call_budgets_origin_key_pk PRIMARY KEY (origin, key);
ALTER TABLE ONLY public.call_gates
    ADD CONSTRAINT call_gates_origin_key_calls_pk PRIMARY KEY (origin, key, calls);
ALTER TABLE ONLY public.call_minutes
    ADD CONSTRAINT call_minutes_origin_minute_key_pk PRIMARY KEY (origin, minute, key);
ALTER TABLE ONLY public.code_hosts
    ADD CONSTRAINT code_hosts_pkey PRIMARY KEY (code_host_id);
ALTER TABLE ONLY public.connection_keys
    ADD CONSTRAINT connection_keys_connection_id_fingerprint_pk PRIMARY KEY (connection_id, fingerprint);
ALTER TABLE ONLY public.connection_states
    ADD CONSTRAINT connection_states_pkey PRIMARY KEY (origin);
ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_pkey PRIMARY KEY (connection_id);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (grant_id);
ALTER TABLE ONLY public.history_events
    ADD CONSTRAINT history_events_pkey PRIMARY KEY (event_id);
ALTER TABLE ONLY public.instance
    ADD CONSTRAINT instance_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.list_revisions
    ADD CONSTRAINT list_revisions_pkey PRIMARY KEY (list);
ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_token_hash_unique UNIQUE (token_hash);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_id_unique UNIQUE (credential_id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.preview_violations
    ADD CONSTRAINT preview_violations_sha256_page_directive_target_pk PRIMARY KEY (sha256, page, directive, target);
ALTER TABLE ONLY public.previews
    ADD CONSTRAINT previews_key_hash_unique UNIQUE (key_hash);
ALTER TABLE ONLY public.previews
    ADD CONSTRAINT previews_label_unique UNIQUE (label);
ALTER TABLE ONLY public.previews
    ADD CONSTRAINT previews_pkey PRIMARY KEY (preview_id);
ALTER TABLE ONLY public.previews
    ADD CONSTRAINT previews_ticket_hash_unique UNIQUE (ticket_hash);
ALTER TABLE ONLY public.progress_scales
    ADD CONSTRAINT progress_scales_pkey PRIMARY KEY (connection_id);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_connection_id_project_id_pk PRIMARY KEY (connection_id, project_id);
ALTER TABLE ONLY public.pull_request_reads
    ADD CONSTRAINT pull_request_reads_connection_id_project_id_id_pk PRIMARY KEY (connection_id, project_id, id);
ALTER TABLE ONLY public.saved_prompts
    ADD CONSTRAINT saved_prompts_pkey PRIMARY KEY (prompt_id);
ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT saved_views_pkey PRIMARY KEY (view_id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_unique UNIQUE (token);
ALTER TABLE ONLY public.sign_in_accounts
    ADD CONSTRAINT sign_in_accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.sign_in_verifications
    ADD CONSTRAINT sign_in_verifications_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sites
    ADD CONSTRAINT sites_pkey PRIMARY KEY (site_id);
ALTER TABLE ONLY public.static_exports
    ADD CONSTRAINT static_exports_pkey PRIMARY KEY (export_id);
ALTER TABLE ONLY public.store_processes
    ADD CONSTRAINT store_processes_pkey PRIMARY KEY (process_id);
ALTER TABLE ONLY public.stored_bundles
    ADD CONSTRAINT stored_bundles_pkey PRIMARY KEY (sha256);
ALTER TABLE ONLY public.two_factors
    ADD CONSTRAINT two_factors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_unique UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.web_files
    ADD CONSTRAINT web_files_pkey PRIMARY KEY (path);
CREATE UNIQUE INDEX job_common_i1 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'created'::pgboss.job_state) AND (policy = 'short'::text));
CREATE INDEX job_common_i10 ON pgboss.job_common USING btree (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked) AND (policy = 'key_strict_fifo'::text));
CREATE INDEX job_common_i11 ON pgboss.job_common USING btree (name, priority DESC, created_on, start_after) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked));
CREATE UNIQUE INDEX job_common_i2 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'active'::pgboss.job_state) AND (policy = 'singleton'::text));
CREATE UNIQUE INDEX job_common_i3 ON pgboss.job_common USING btree (name, state, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'stately'::text));
CREATE UNIQUE INDEX job_common_i4 ON pgboss.job_common USING btree (name, singleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::pgboss.job_state) AND (singleton_on IS NOT NULL));
CREATE UNIQUE INDEX job_common_i6 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'exclusive'::text));
CREATE INDEX job_common_i7 ON pgboss.job_common USING btree (name, group_id) WHERE ((state = 'active'::pgboss.job_state) AND (group_id IS NOT NULL));
CREATE UNIQUE INDEX job_common_i8 ON pgboss.job_common USING btree (name, singleton_key) WHERE ((state = ANY (ARRAY['active'::pgboss.job_state, 'retry'::pgboss.job_state, 'failed'::pgboss.job_state])) AND (policy = 'key_strict_fifo'::text));
CREATE INDEX job_common_i9 ON pgboss.job_common USING btree (name, id) WHERE (blocking AND (state = 'completed'::pgboss.job_state));
CREATE INDEX job_dep_parent_idx ON pgboss.job_dependency USING btree (parent_name, parent_id);
CREATE INDEX queue_stats_i1 ON ONLY pgboss.queue_stats USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX queue_stats_20261123_name_captured_on_deferred_count_queued_idx ON pgboss.queue_stats_20261123 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX queue_stats_20261124_name_captured_on_deferred_count_queued_idx ON pgboss.queue_stats_20261124 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX warning_i1 ON pgboss.warning USING btree (created_on DESC);
CREATE INDEX agent_jobs_attention ON public.agent_jobs USING btree (followed_at DESC, project_id, id) WHERE ((removed_at IS NULL) AND (NULLIF(troubled_at, settled_trouble) IS NOT NULL));
CREATE INDEX agent_jobs_changing ON public.agent_jobs USING btree (connection_id, changing_since, viewed_until) WHERE ((next_check_at IS NOT NULL) AND ((finished_at IS NULL) OR (awaited_since IS NOT NULL)) AND (gone_at IS NULL) AND (removed_at IS NULL));
CREATE INDEX agent_jobs_connection ON public.agent_jobs USING btree (connection_id, followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_due ON public.agent_jobs USING btree (connection_id, next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX agent_jobs_endings ON public.agent_jobs USING btree (finished_at DESC) WHERE ((unfinished_at IS NOT NULL) AND (finished_at IS NOT NULL));
CREATE INDEX agent_jobs_group ON public.agent_jobs USING btree (list_group, followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_group_model ON public.agent_jobs USING btree (list_group, model, followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_group_repository ON public.agent_jobs USING btree (list_group, repository, followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_list ON public.agent_jobs USING btree (followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_model ON public.agent_jobs USING btree (model, followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_project ON public.agent_jobs USING btree (project_id, followed_at DESC, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_pull_requests ON public.agent_jobs USING btree (connection_id) WHERE ((removed_at IS NULL) AND (pull_request_known_from IS DISTINCT FROM 'service'::text) AND ((list_group = 'pull_request_ready'::text) OR ((list_group = ANY (ARRAY['merged'::text, 'closed'::text])) AND (pull_request_known_from = 'person'::text))));
CREATE INDEX agent_jobs_removed ON public.agent_jobs USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE INDEX agent_jobs_repository ON public.agent_jobs USING btree (repository, followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_search ON public.agent_jobs USING gin (to_tsvector('simple'::regconfig, translate(((((((((((((((((((COALESCE(title, ''::text) || ' '::text) || COALESCE(prompts, ''::text)) || ' '::text) || COALESCE(project_id, ''::text)) || ' '::text) || COALESCE(id, ''::text)) || ' '::text) || COALESCE(repository, ''::text)) || ' '::text) || COALESCE(ref, ''::text)) || ' '::text) || COALESCE(model, ''::text)) || ' '::text) || COALESCE(pull_request_title, ''::text)) || ' '::text) || COALESCE("left"(error, 2000), ''::text)) || ' '::text) || COALESCE("left"(report, 2000), ''::text)), ('!"#$%&''()*+,-./:<=>?@[\]^_`{|}~'::text || chr(59)), '                                '::text))) WITH (fastupdate='false') WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_took ON public.agent_jobs USING btree (repository, finished_at DESC, took_ms) WHERE (took_ms IS NOT NULL);
CREATE INDEX agent_jobs_took_any ON public.agent_jobs USING btree (finished_at DESC, took_ms) WHERE (took_ms IS NOT NULL);
CREATE INDEX agent_prompts_job ON public.agent_prompts USING btree (project_id, job_id, sent_at DESC);
CREATE INDEX agent_prompts_open ON public.agent_prompts USING btree (sent_at DESC) WHERE (state = ANY (ARRAY['sending'::text, 'unknown'::text]));
CREATE INDEX api_tokens_created ON public.api_tokens USING btree (created_at);
CREATE INDEX artifacts_findings ON public.artifacts USING btree (export_id) WHERE ((breaks + leaks) > 0);
CREATE INDEX artifacts_sha256 ON public.artifacts USING btree (sha256) WHERE (sha256 IS NOT NULL);
CREATE INDEX artifacts_site ON public.artifacts USING btree (site_id, exported_at DESC, export_id);
CREATE INDEX artifacts_storing ON public.artifacts USING btree (export_id) WHERE (state = 'storing'::text);
CREATE INDEX audit_events_action ON public.audit_events USING btree (action, audit_id);
CREATE INDEX audit_events_actor ON public.audit_events USING btree (actor_id, audit_id);
CREATE INDEX audit_events_at ON public.audit_events USING btree (at);
CREATE INDEX audit_events_target ON public.audit_events USING btree (target_type, target_id, audit_id);
CREATE UNIQUE INDEX code_hosts_url ON public.code_hosts USING btree (connection_id, url);
CREATE UNIQUE INDEX connections_docket ON public.connections USING btree (kind) WHERE (source = 'docket'::text);
CREATE UNIQUE INDEX connections_environment ON public.connections USING btree (base_url) WHERE (source = 'environment'::text);
CREATE INDEX grants_connection ON public.grants USING btree (connection_id);
CREATE UNIQUE INDEX grants_group ON public.grants USING btree (oidc_group, COALESCE(connection_id, '00000000-0000-0000-0000-000000000000'::uuid));
CREATE UNIQUE INDEX grants_person ON public.grants USING btree (user_id, COALESCE(connection_id, '00000000-0000-0000-0000-000000000000'::uuid));
CREATE INDEX history_events_age ON public.history_events USING btree (record_type, at);
CREATE INDEX history_events_endings ON public.history_events USING btree (event_id) WHERE (ending IS NOT NULL);
CREATE INDEX history_events_record ON public.history_events USING btree (record_type, record_key, event_id);
CREATE INDEX one_time_links_kind ON public.one_time_links USING btree (kind, created_at);
CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id);
CREATE INDEX previews_expiry ON public.previews USING btree (expires_at);
CREATE INDEX previews_session ON public.previews USING btree (session_id, created_at);
CREATE INDEX previews_sha256 ON public.previews USING btree (sha256);
CREATE UNIQUE INDEX projects_default ON public.projects USING btree (connection_id) WHERE is_default;
CREATE UNIQUE INDEX saved_prompts_title ON public.saved_prompts USING btree (lower(title));
CREATE UNIQUE INDEX saved_views_name ON public.saved_views USING btree (user_id, list, lower(name));
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);
CREATE INDEX sign_in_accounts_subject ON public.sign_in_accounts USING btree (provider_id, account_id);
CREATE INDEX sign_in_accounts_user ON public.sign_in_accounts USING btree (user_id);
CREATE INDEX sign_in_attempts_age ON public.sign_in_attempts USING btree (at);
CREATE INDEX sign_in_verifications_expiry ON public.sign_in_verifications USING btree (expires_at);
CREATE INDEX sign_in_verifications_identifier ON public.sign_in_verifications USING btree (identifier);
CREATE UNIQUE INDEX sites_domain ON public.sites USING btree (connection_id, domain);
CREATE INDEX static_exports_attention ON public.static_exports USING btree (started_at DESC, export_id) WHERE ((removed_at IS NULL) AND (NULLIF(troubled_at, settled_trouble) IS NOT NULL));
CREATE INDEX static_exports_changing ON public.static_exports USING btree (connection_id, changing_since, viewed_until) WHERE ((next_check_at IS NOT NULL) AND (finished_at IS NULL) AND (gone_at IS NULL) AND (removed_at IS NULL));
CREATE INDEX static_exports_connection ON public.static_exports USING btree (connection_id, started_at DESC, export_id) WHERE (removed_at IS NULL);
CREATE INDEX static_exports_domain ON public.static_exports USING btree (domain, started_at DESC, export_id) WHERE (removed_at IS NULL);
CREATE INDEX static_exports_due ON public.static_exports USING btree (connection_id, next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX static_exports_endings ON public.static_exports USING btree (finished_at DESC) WHERE ((unfinished_at IS NOT NULL) AND (finished_at IS NOT NULL));
CREATE INDEX static_exports_group ON public.static_exports USING btree (list_group, started_at DESC, export_id) WHERE (removed_at IS NULL);
CREATE INDEX static_exports_group_domain ON public.static_exports USING btree (list_group, domain, started_at DESC, export_id) WHERE (removed_at IS NULL);
CREATE UNIQUE INDEX static_exports_job ON public.static_exports USING btree (connection_id, job_id) WHERE ((job_id IS NOT NULL) AND (removed_at IS NULL));
CREATE INDEX static_exports_list ON public.static_exports USING btree (started_at DESC, export_id) WHERE (removed_at IS NULL);
CREATE INDEX static_exports_removed ON public.static_exports USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE UNIQUE INDEX static_exports_request ON public.static_exports USING btree (request_id);
CREATE INDEX static_exports_search ON public.static_exports USING gin (to_tsvector('simple'::regconfig, translate(((((((COALESCE(domain, ''::text) || ' '::text) || COALESCE(version, ''::text)) || ' '::text) || COALESCE(job_id, ''::text)) || ' '::text) || COALESCE(status, ''::text)), ('!"#$%&''()*+,-./:<=>?@[\]^_`{|}~'::text || chr(59)), '                                '::text))) WITH (fastupdate='false') WHERE (removed_at IS NULL);
CREATE INDEX static_exports_took ON public.static_exports USING btree (domain, finished_at DESC, took_ms) WHERE (took_ms IS NOT NULL);
CREATE INDEX two_factors_user ON public.two_factors USING btree (user_id);
ALTER INDEX pgboss.job_pkey ATTACH PARTITION pgboss.job_common_pkey;
ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20261123_name_captured_on_deferred_count_queued_idx;
ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20261123_pkey;
ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20261124_name_captured_on_deferred_count_queued_idx;
ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20261124_pkey;
CREATE STATISTICS public.agent_jobs_trouble ON NULLIF(troubled_at, settled_trouble) FROM public.agent_jobs;
CREATE STATISTICS public.static_exports_trouble ON NULLIF(troubled_at, settled_trouble) FROM public.static_exports;
CREATE TRIGGER agent_jobs_counted_delete AFTER DELETE ON public.agent_jobs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER agent_jobs_counted_insert AFTER INSERT ON public.agent_jobs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER agent_jobs_counted_update AFTER UPDATE ON public.agent_jobs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER api_tokens_changed AFTER DELETE OR UPDATE OF token_hash, scope, domains, project_ids, connection_ids, expires_at, revoked_at ON public.api_tokens FOR EACH STATEMENT EXECUTE FUNCTION public.accounts_changed();
CREATE TRIGGER audit_events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_events FOR EACH STATEMENT EXECUTE FUNCTION public.audit_is_append_only();
CREATE TRIGGER audit_seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_seals FOR EACH STATEMENT EXECUTE FUNCTION public.audit_is_append_only();
CREATE TRIGGER connections_changed AFTER INSERT OR DELETE OR UPDATE ON public.connections FOR EACH STATEMENT EXECUTE FUNCTION public.connections_changed();
CREATE TRIGGER grants_changed AFTER INSERT OR DELETE OR UPDATE ON public.grants FOR EACH STATEMENT EXECUTE FUNCTION public.accounts_changed();
CREATE TRIGGER sessions_ended AFTER DELETE OR UPDATE OF token, user_id, expires_at ON public.sessions FOR EACH STATEMENT EXECUTE FUNCTION public.accounts_changed();
CREATE TRIGGER static_exports_counted_delete AFTER DELETE ON public.static_exports REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER static_exports_counted_insert AFTER INSERT ON public.static_exports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER static_exports_counted_update AFTER UPDATE ON public.static_exports REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER users_changed AFTER DELETE OR UPDATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION public.accounts_changed();
CREATE TRIGGER users_granted AFTER INSERT OR UPDATE OF role ON public.users FOR EACH ROW EXECUTE FUNCTION public.grant_role();
ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_dead_letter_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name);
ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;
ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.accepted_findings
    ADD CONSTRAINT accepted_findings_site_id_sites_site_id_fk FOREIGN KEY (site_id) REFERENCES public.sites(site_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.artifacts
    ADD CONSTRAINT artifacts_sha256_stored_bundles_sha256_fk FOREIGN KEY (sha256) REFERENCES public.stored_bundles(sha256);
ALTER TABLE ONLY public.artifacts
    ADD CONSTRAINT artifacts_site_id_sites_site_id_fk FOREIGN KEY (site_id) REFERENCES public.sites(site_id);
ALTER TABLE ONLY public.code_hosts
    ADD CONSTRAINT code_hosts_connection_id_connections_connection_id_fk FOREIGN KEY (connection_id) REFERENCES public.connections(connection_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.connection_keys
    ADD CONSTRAINT connection_keys_connection_id_connections_connection_id_fk FOREIGN KEY (connection_id) REFERENCES public.connections(connection_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_connection_id_connections_connection_id_fk FOREIGN KEY (connection_id) REFERENCES public.connections(connection_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.preview_violations
    ADD CONSTRAINT preview_violations_sha256_stored_bundles_sha256_fk FOREIGN KEY (sha256) REFERENCES public.stored_bundles(sha256) ON DELETE CASCADE;
ALTER TABLE ONLY public.previews
    ADD CONSTRAINT previews_session_id_sessions_id_fk FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.previews
    ADD CONSTRAINT previews_sha256_stored_bundles_sha256_fk FOREIGN KEY (sha256) REFERENCES public.stored_bundles(sha256) ON DELETE CASCADE;
ALTER TABLE ONLY public.progress_scales
    ADD CONSTRAINT progress_scales_connection_id_connections_connection_id_fk FOREIGN KEY (connection_id) REFERENCES public.connections(connection_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_connection_id_connections_connection_id_fk FOREIGN KEY (connection_id) REFERENCES public.connections(connection_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.pull_request_reads
    ADD CONSTRAINT pull_request_reads_job FOREIGN KEY (connection_id, project_id, id) REFERENCES public.agent_jobs(connection_id, project_id, id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT saved_views_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_in_accounts
    ADD CONSTRAINT sign_in_accounts_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.two_factors
    ADD CONSTRAINT two_factors_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

