-- second factor: G5LG4S2SJZTUU5TYKRBVENCEORZHKV3UJJYES2DFGQZTA4TRINFQ
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
	IF TG_OP = 'DELETE' AND current_setting('docket.audit_retention', true) = 'on' THEN RETURN NULL; END IF;
	RAISE EXCEPTION 'audit_events is append-only';
END $$;
CREATE FUNCTION public.count_listed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
    list_group text GENERATED ALWAYS AS (
CASE
    WHEN (gone_at IS NOT NULL) THEN 'gone'::text
    WHEN (status = ANY (ARRAY['failed'::text, 'archived'::text])) THEN status
    WHEN (status = 'completed'::text) THEN
    CASE
        WHEN (pr_link IS NULL) THEN 'no_pull_request'::text
        ELSE 'pull_request_ready'::text
    END
    ELSE 'working'::text
END) STORED NOT NULL,
    troubled_at timestamp(3) with time zone GENERATED ALWAYS AS (
CASE
    WHEN (gone_at IS NOT NULL) THEN COALESCE(finished_at, gone_at)
    WHEN (status = 'failed'::text) THEN COALESCE(finished_at, followed_at)
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
    forgotten_at timestamp(3) with time zone
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
    revoked_at timestamp(3) with time zone
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
    state jsonb NOT NULL
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
CREATE TABLE public.connection_states (
    origin text NOT NULL,
    state jsonb NOT NULL
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
    ending text
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
    secret text NOT NULL
);
CREATE TABLE public.list_revisions (
    list text NOT NULL,
    revision bigint NOT NULL,
    tag uuid DEFAULT gen_random_uuid() NOT NULL,
    counts jsonb DEFAULT '{}'::jsonb NOT NULL
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
END) STORED
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
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY pgboss.job ATTACH PARTITION pgboss.job_common DEFAULT;
ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20261123 FOR VALUES FROM ('2026-11-23 00:00:00+00') TO ('2026-11-24 00:00:00+00');
ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20261124 FOR VALUES FROM ('2026-11-24 00:00:00+00') TO ('2026-11-25 00:00:00+00');
ALTER TABLE ONLY drizzle.__drizzle_migrations ALTER COLUMN id SET DEFAULT nextval('drizzle.__drizzle_migrations_id_seq'::regclass);
INSERT INTO drizzle.__drizzle_migrations VALUES (1, 'a43a7a10bd308d68b583c70e6d907008063b571c0dc373bd2987f70c9a313ef6', 1795264212017);
INSERT INTO drizzle.__drizzle_migrations VALUES (2, '42115b469b6ad71fb8dbce1fc99dd6bc033845c68e51cd0528325034f2319c44', 1795264213023);
INSERT INTO pgboss.queue VALUES ('__pgboss__send-it', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 21:15:41.58101+00', '2026-11-23 21:15:41.58101+00');
INSERT INTO pgboss.queue VALUES ('docket', 'exclusive', 5, 60, true, 3600, 3600, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 60, false, NULL, NULL, NULL, NULL, '2026-11-23 21:15:41.628612+00', '2026-11-23 21:15:41.628612+00');
INSERT INTO pgboss.schedule VALUES ('docket', 'removed-exports', 'cron', '7 3 * * *', 'UTC', '{"name": "removed-exports"}', '{"tz": "UTC", "key": "removed-exports", "missed": "once", "singletonKey": "removed-exports"}', '2026-11-23 21:15:41.794674+00', '2026-11-23 21:15:41.794674+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'removed-jobs', 'cron', '17 3 * * *', 'UTC', '{"name": "removed-jobs"}', '{"tz": "UTC", "key": "removed-jobs", "missed": "once", "singletonKey": "removed-jobs"}', '2026-11-23 21:15:41.824193+00', '2026-11-23 21:15:41.824193+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'old-history', 'cron', '37 3 * * *', 'UTC', '{"name": "old-history"}', '{"tz": "UTC", "key": "old-history", "missed": "once", "singletonKey": "old-history"}', '2026-11-23 21:15:41.874609+00', '2026-11-23 21:15:41.874609+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'old-audit', 'cron', '47 3 * * *', 'UTC', '{"name": "old-audit"}', '{"tz": "UTC", "key": "old-audit", "missed": "once", "singletonKey": "old-audit"}', '2026-11-23 21:15:41.925606+00', '2026-11-23 21:15:41.925606+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'ended-sign-ins', 'cron', '47 * * * *', 'UTC', '{"name": "ended-sign-ins"}', '{"tz": "UTC", "key": "ended-sign-ins", "missed": "once", "singletonKey": "ended-sign-ins"}', '2026-11-23 21:15:41.953492+00', '2026-11-23 21:15:41.953492+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'old-calls', 'cron', '27 * * * *', 'UTC', '{"name": "old-calls"}', '{"tz": "UTC", "key": "old-calls", "missed": "once", "singletonKey": "old-calls"}', '2026-11-23 21:15:41.986963+00', '2026-11-23 21:15:41.986963+00', NULL);
INSERT INTO pgboss.version VALUES (41, '2026-11-23 21:15:41.624849+00', '2026-11-23 21:15:41.630553+00', '2026-11-23 21:15:41.62265+00', NULL, NULL);
INSERT INTO public.agent_jobs VALUES ('docs', 'dd3f4877-1a84-4901-bbf4-92c6a82876a4', 'completed', 'http://127.0.0.1:34949/docket/docs', 'docs-agent/dd3f4877-1a84-4901-bbf4-92c6a82876a4', 'built-in recipes', NULL, '2026-11-23 21:15:54.178+00', NULL, '2026-11-23 21:15:54.195+00', '2026-11-23 21:16:00.532+00', 6354, NULL, '2026-11-23 21:16:06.142+00', NULL, NULL, 0, '2026-11-23 21:15:54.178+00', '2026-11-23 21:16:00.028+00', '2026-11-23 21:16:56.4+00', '2026-11-23 21:16:05.892+00', NULL, 32, NULL, DEFAULT, DEFAULT);
INSERT INTO public.agent_prompts VALUES ('00000000-0000-4000-8000-000000000003', 'creation', 'docs', 'dd3f4877-1a84-4901-bbf4-92c6a82876a4', 'Fix typos', 'accepted', NULL, NULL, 'grace', '2026-11-23 21:15:54.113+00', '2026-11-23 21:15:54.195+00', NULL, NULL, NULL, NULL);
INSERT INTO public.api_tokens VALUES ('e21b8fac-8afc-4cb7-b3a5-87892c2259da', 'nightly', 'e975d9df08fd96aeffca90ddb3de408f44932a3fa71614fd18cacef1b427c85b', 'Sbkp', 'operate', NULL, NULL, '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'grace', '2026-11-23 21:15:45.148+00', '2026-12-23 21:15:45.148+00', NULL, NULL);
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (1, '2026-11-23 21:15:40.366+00', 'docket', NULL, 'Docket', NULL, NULL, 'user.created', 'ok', 'user', '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'grace', '{"from": "SETUP_ADMIN_EMAIL", "role": "admin", "first": true}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (2, '2026-11-23 21:15:42.223+00', 'person', '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'grace', '127.0.0.1', '9ad254a8-1105-4f16-bb63-19d32ca8a1cb', 'session.signed_in', 'ok', 'user', '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'grace', '{"with": "password"}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (3, '2026-11-23 21:15:44.928+00', 'person', '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'grace', '127.0.0.1', 'c006be8a-3cad-461c-befc-b063c3d74ea7', 'user.second_factor_added', 'ok', 'user', '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'grace', '{}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (4, '2026-11-23 21:15:45.148+00', 'person', '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'grace', '127.0.0.1', '5833731a-acc0-4d9e-80e8-709e3073eeb7', 'api_token.created', 'ok', 'api_token', 'e21b8fac-8afc-4cb7-b3a5-87892c2259da', 'nightly', '{"scope": "operate", "domains": null, "projects": null, "expiresInDays": 30}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (5, '2026-11-23 21:15:45.189+00', 'person', '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'grace', '127.0.0.1', 'a46ec2ae-d0ae-48af-8767-fed03b812721', 'static_export.started', 'ok', 'static_export', '35dfc06a-5866-4175-8c90-e38b83819214', 'docs.example.com', '{}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (6, '2026-11-23 21:15:49.735+00', 'person', '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'grace', '127.0.0.1', '640855e0-8593-4548-8800-e07848e9aef9', 'static_export.started', 'ok', 'static_export', '796ae1f7-254c-469f-b8c9-9e6770ced820', 'docs.example.com', '{}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (7, '2026-11-23 21:15:54.113+00', 'person', '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'grace', '127.0.0.1', 'd3d319ef-53b4-4e80-8b1d-2f10d995dcd6', 'agent_job.requested', 'ok', 'agent_job', NULL, 'docs', '{"characters": 9}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (8, '2026-11-23 21:15:54.195+00', 'person', '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'grace', '127.0.0.1', 'd3d319ef-53b4-4e80-8b1d-2f10d995dcd6', 'agent_job.created', 'ok', 'agent_job', 'dd3f4877-1a84-4901-bbf4-92c6a82876a4', 'docs/dd3f4877-1a84-4901-bbf4-92c6a82876a4', '{}');
INSERT INTO public.call_answers VALUES ('http://127.0.0.1:34949', 'startStaticExport', '2026-11-23 21:15:49.824+00', '2026-11-23 21:15:49.824+00', NULL, NULL, 30.025633000001108);
INSERT INTO public.call_answers VALUES ('http://127.0.0.1:34949', 'getStaticExport', '2026-11-23 21:15:53.772+00', '2026-11-23 21:15:53.772+00', NULL, NULL, 15.922226999999111);
INSERT INTO public.call_answers VALUES ('http://127.0.0.1:34949', 'createAgentJob', '2026-11-23 21:15:54.194+00', '2026-11-23 21:15:54.194+00', NULL, NULL, 25.954442000002018);
INSERT INTO public.call_answers VALUES ('http://127.0.0.1:34949', 'getAgentJob', '2026-11-23 21:16:05.892+00', '2026-11-23 21:16:05.892+00', NULL, NULL, 1.780841000007058);
INSERT INTO public.call_budgets VALUES ('http://127.0.0.1:34949', 'main', 179, 1795468565879);
INSERT INTO public.call_gates VALUES ('http://127.0.0.1:34949', 'static_exports', '{"held": null, "closed": null, "outage": 0, "closings": 0, "lastGoodMs": 1795468546001, "probeUntilMs": null}');
INSERT INTO public.call_gates VALUES ('http://127.0.0.1:34949', 'agent_prompts', '{"held": null, "closed": null, "outage": 0, "closings": 0, "lastGoodMs": null, "probeUntilMs": null}');
INSERT INTO public.call_gates VALUES ('http://127.0.0.1:34949', 'agent_jobs', '{"held": null, "closed": null, "outage": 0, "closings": 0, "lastGoodMs": 1795468564782, "probeUntilMs": null}');
INSERT INTO public.call_minutes VALUES ('http://127.0.0.1:34949', 'main', '2026-11-23 21:15:00+00', 36, 3, 0, 0);
INSERT INTO public.call_minutes VALUES ('http://127.0.0.1:34949', 'main', '2026-11-23 21:16:00+00', 16, 0, 0, 0);
INSERT INTO public.connection_states VALUES ('http://127.0.0.1:34949', '{"shown": {"state": "ok", "message": null}, "sinceMs": 1795468545382, "lastOkMs": 1795468565892, "keyTroubles": {}}');
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (1, 'static_export', '35dfc06a-5866-4175-8c90-e38b83819214', 'requested', '2026-11-23 21:15:45.189+00', NULL, NULL, NULL, NULL, 'grace', NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (2, 'static_export', '35dfc06a-5866-4175-8c90-e38b83819214', 'accepted', '2026-11-23 21:15:45.481+00', NULL, NULL, NULL, '2a39fb97-89bc-47d5-951e-913ade0c8ddf', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (3, 'static_export', '35dfc06a-5866-4175-8c90-e38b83819214', 'status_changed', '2026-11-23 21:15:45.481+00', NULL, NULL, NULL, 'queued', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (4, 'static_export', '35dfc06a-5866-4175-8c90-e38b83819214', 'status_changed', '2026-11-23 21:15:46.141+00', NULL, NULL, 'queued', 'running', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (5, 'static_export', '35dfc06a-5866-4175-8c90-e38b83819214', 'progressed', '2026-11-23 21:15:49.135+00', NULL, NULL, NULL, '50', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (6, 'static_export', '35dfc06a-5866-4175-8c90-e38b83819214', 'progressed', '2026-11-23 21:15:49.419+00', NULL, NULL, NULL, '75', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (7, 'static_export', '35dfc06a-5866-4175-8c90-e38b83819214', 'completed', '2026-11-23 21:15:49.708+00', NULL, NULL, NULL, NULL, NULL, 'completed');
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (8, 'static_export', '796ae1f7-254c-469f-b8c9-9e6770ced820', 'requested', '2026-11-23 21:15:49.735+00', NULL, NULL, NULL, NULL, 'grace', NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (9, 'static_export', '796ae1f7-254c-469f-b8c9-9e6770ced820', 'accepted', '2026-11-23 21:15:49.866+00', NULL, NULL, NULL, 'fb698350-2c78-4b5e-b5ad-ab8b155b45ed', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (10, 'static_export', '796ae1f7-254c-469f-b8c9-9e6770ced820', 'status_changed', '2026-11-23 21:15:49.866+00', NULL, NULL, NULL, 'queued', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (11, 'static_export', '796ae1f7-254c-469f-b8c9-9e6770ced820', 'status_changed', '2026-11-23 21:15:50.362+00', NULL, NULL, 'queued', 'running', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (12, 'static_export', '796ae1f7-254c-469f-b8c9-9e6770ced820', 'progressed', '2026-11-23 21:15:53.458+00', NULL, NULL, NULL, '50', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (13, 'static_export', '796ae1f7-254c-469f-b8c9-9e6770ced820', 'completed', '2026-11-23 21:15:53.798+00', NULL, NULL, NULL, NULL, NULL, 'completed');
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (14, 'agent_job', '["docs","dd3f4877-1a84-4901-bbf4-92c6a82876a4"]', 'created', '2026-11-23 21:15:54.195+00', NULL, NULL, NULL, 'active', 'grace', NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (15, 'agent_job', '["docs","dd3f4877-1a84-4901-bbf4-92c6a82876a4"]', 'completed', '2026-11-23 21:16:00.579+00', NULL, NULL, 'active', NULL, NULL, NULL);
INSERT INTO public.instance VALUES (1, '85353a38', 'A-mCxS6BwN3EaGSFzTqdUxMYbqn9LB482_-bR1wjt3c');
INSERT INTO public.list_revisions VALUES ('accounts', 3, 'fd7f186d-8c85-4e0a-83ea-2639daba8f1b', '{}');
INSERT INTO public.list_revisions VALUES ('static_exports', 26, 'e461d532-75cb-4e69-8f3e-2b0b69b0fb14', '{"completed": 2}');
INSERT INTO public.list_revisions VALUES ('agent_jobs', 32, '282b31a1-5fbd-420a-afa3-b77f87d1a275', '{"no_pull_request": 1}');
INSERT INTO public.sessions VALUES ('fa8eb86a-1001-4bc9-944b-9f92ff5cf7ae', '5TS_QLFOVZqGvAZzIiF_bOH2xM_-vCZuoxYYwyuX9-k', '709555fd-9240-4a5a-9fdb-04fb5688edeb', '2026-12-23 21:15:44.928+00', '127.0.0.1', 'node', '2026-11-23 21:15:44.928+00', '2026-11-23 21:15:44.928+00');
INSERT INTO public.sign_in_accounts VALUES ('bf7306b8-31c7-4d74-a258-469612b614a9', '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'credential', '709555fd-9240-4a5a-9fdb-04fb5688edeb', NULL, NULL, NULL, NULL, NULL, NULL, '$argon2id$v=19$m=65536,t=3,p=1$+v7edaTc16vzBqPUhh/4nA$myhj9FBmNilcz1FerAcl7hFfWb6OEiSOkcEXRQA3yPU', '2026-11-23 21:15:41.521+00', '2026-11-23 21:15:41.521+00');
INSERT INTO public.sign_in_attempts VALUES ('983f98a7a48c54dd666014e9f70b50547a79e4d8034bcf945c97cc23848e1f3e', 39, '2026-11-23 21:15:42.254+00');
INSERT INTO public.sign_in_verifications VALUES ('8bada420-c6de-4633-9b6a-f155b8e8e053', 'used-code:709555fd-9240-4a5a-9fdb-04fb5688edeb:389585', '', '2026-11-23 21:18:44.928+00', '2026-11-23 21:15:44.96+00', '2026-11-23 21:15:44.96+00');
INSERT INTO public.static_exports VALUES ('35dfc06a-5866-4175-8c90-e38b83819214', '00000000-0000-4000-8000-000000000001', 'docs.example.com', NULL, NULL, 'completed', '2a39fb97-89bc-47d5-951e-913ade0c8ddf', 'completed', 100, true, 1, 0.8503401360544217, NULL, false, '2026-11-23 21:15:45.189+00', '2026-11-23 21:15:49.694+00', 4505, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '2026-11-23 21:15:45.189+00', '2026-11-23 21:15:49.407+00', '2026-11-23 21:16:47.641+00', '2026-11-23 21:15:49.694+00', NULL, 14, NULL, DEFAULT, DEFAULT);
INSERT INTO public.static_exports VALUES ('796ae1f7-254c-469f-b8c9-9e6770ced820', '00000000-0000-4000-8000-000000000002', 'docs.example.com', NULL, NULL, 'completed', 'fb698350-2c78-4b5e-b5ad-ab8b155b45ed', 'completed', 100, true, 1, 1.4792899408284024, NULL, false, '2026-11-23 21:15:49.735+00', '2026-11-23 21:15:53.772+00', 4037, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '2026-11-23 21:15:49.735+00', '2026-11-23 21:15:53.434+00', '2026-11-23 21:16:51.989+00', '2026-11-23 21:15:53.772+00', NULL, 26, NULL, DEFAULT, DEFAULT);
INSERT INTO public.two_factors VALUES ('d392b761-8d55-4769-bde5-e40ef5ed4bd7', '709555fd-9240-4a5a-9fdb-04fb5688edeb', 'c922da646a538464b9e7249e065b1922478f5ae65b28bcfd98a962dea56a2dc725040c44ba0c7b530f6ab44b85f27e94d43c8b66a129d3c26a8b0aec34e795d88311c90d0d9774e7', 'cc07d34c7733c04e7bdd9963c898824f37d04e3c92cde495e61c093822ead5d451e56a729fb8697a6e95cfc7491d3e7f0d2b6d5ebdaca83de2ea62a0b6c20875dc0fb46e1e1157ed8cb69bf9e13a8bb180b400d335bcc86f24bd2df29c18e23b761fee784035981c5cb18316a321b281f8c750613dad01b2fff0455393288431e27649e3d5d125c1e3c8d7b976a9f8d68658d3950d9d3315beb15859dcae0dec8e89cc211747c09222cbbf0c6969bdcf5e071c6832', true, 0, NULL);
INSERT INTO public.users VALUES ('709555fd-9240-4a5a-9fdb-04fb5688edeb', 'grace', 'grace@example.com', false, NULL, 'admin', NULL, true, '2026-11-23 21:15:40.366+00', '2026-11-23 21:15:45.027+00');
SELECT pg_catalog.setval('drizzle.__drizzle_migrations_id_seq', 2, true);
SELECT pg_catalog.setval('public.audit_events_audit_id_seq', 8, true);
SELECT pg_catalog.setval('public.history_events_event_id_seq', 15, true);
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
ALTER TABLE ONLY public.agent_jobs
    ADD CONSTRAINT agent_jobs_project_id_id_pk PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.agent_prompts
    ADD CONSTRAINT agent_prompts_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (token_id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_token_hash_unique UNIQUE (token_hash);
ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_pkey PRIMARY KEY (audit_id);
ALTER TABLE ONLY public.call_answers
    ADD CONSTRAINT call_answers_origin_operation_pk PRIMARY KEY (origin, operation);
ALTER TABLE ONLY public.call_budgets
    ADD CONSTRAINT call_budgets_origin_key_pk PRIMARY KEY (origin, key);
ALTER TABLE ONLY public.call_gates
    ADD CONSTRAINT call_gates_origin_calls_pk PRIMARY KEY (origin, calls);
ALTER TABLE ONLY public.call_minutes
    ADD CONSTRAINT call_minutes_origin_minute_key_pk PRIMARY KEY (origin, minute, key);
ALTER TABLE ONLY public.connection_states
    ADD CONSTRAINT connection_states_pkey PRIMARY KEY (origin);
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
ALTER TABLE ONLY public.static_exports
    ADD CONSTRAINT static_exports_pkey PRIMARY KEY (export_id);
ALTER TABLE ONLY public.two_factors
    ADD CONSTRAINT two_factors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_unique UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
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
CREATE INDEX agent_jobs_changing ON public.agent_jobs USING btree (changing_since, viewed_until) WHERE ((next_check_at IS NOT NULL) AND (finished_at IS NULL) AND (gone_at IS NULL) AND (removed_at IS NULL));
CREATE INDEX agent_jobs_due ON public.agent_jobs USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX agent_jobs_endings ON public.agent_jobs USING btree (finished_at DESC) WHERE ((unfinished_at IS NOT NULL) AND (finished_at IS NOT NULL));
CREATE INDEX agent_jobs_group ON public.agent_jobs USING btree (list_group, followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_group_model ON public.agent_jobs USING btree (list_group, model, followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_group_repository ON public.agent_jobs USING btree (list_group, repository, followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_list ON public.agent_jobs USING btree (followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_model ON public.agent_jobs USING btree (model, followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_removed ON public.agent_jobs USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE INDEX agent_jobs_repository ON public.agent_jobs USING btree (repository, followed_at DESC, project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_search ON public.agent_jobs USING gin (to_tsvector('simple'::regconfig, translate(((((((((COALESCE(project_id, ''::text) || ' '::text) || COALESCE(id, ''::text)) || ' '::text) || COALESCE(repository, ''::text)) || ' '::text) || COALESCE(ref, ''::text)) || ' '::text) || COALESCE(model, ''::text)), ('!"#$%&''()*+,-./:<=>?@[\]^_`{|}~'::text || chr(59)), '                                '::text))) WITH (fastupdate='false') WHERE (removed_at IS NULL);
CREATE INDEX agent_jobs_took ON public.agent_jobs USING btree (repository, finished_at DESC, took_ms) WHERE (took_ms IS NOT NULL);
CREATE INDEX agent_jobs_took_any ON public.agent_jobs USING btree (finished_at DESC, took_ms) WHERE (took_ms IS NOT NULL);
CREATE INDEX agent_jobs_troubled ON public.agent_jobs USING btree (troubled_at) WHERE ((removed_at IS NULL) AND (troubled_at IS NOT NULL));
CREATE INDEX agent_prompts_job ON public.agent_prompts USING btree (project_id, job_id, sent_at DESC);
CREATE INDEX agent_prompts_open ON public.agent_prompts USING btree (sent_at DESC) WHERE (state = ANY (ARRAY['sending'::text, 'unknown'::text]));
CREATE INDEX api_tokens_created ON public.api_tokens USING btree (created_at);
CREATE INDEX audit_events_action ON public.audit_events USING btree (action, audit_id);
CREATE INDEX audit_events_actor ON public.audit_events USING btree (actor_id, audit_id);
CREATE INDEX audit_events_at ON public.audit_events USING btree (at);
CREATE INDEX audit_events_target ON public.audit_events USING btree (target_type, target_id, audit_id);
CREATE INDEX history_events_age ON public.history_events USING btree (record_type, at);
CREATE INDEX history_events_endings ON public.history_events USING btree (event_id) WHERE (ending IS NOT NULL);
CREATE INDEX history_events_record ON public.history_events USING btree (record_type, record_key, event_id);
CREATE INDEX one_time_links_kind ON public.one_time_links USING btree (kind, created_at);
CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);
CREATE INDEX sign_in_accounts_subject ON public.sign_in_accounts USING btree (provider_id, account_id);
CREATE INDEX sign_in_accounts_user ON public.sign_in_accounts USING btree (user_id);
CREATE INDEX sign_in_attempts_age ON public.sign_in_attempts USING btree (at);
CREATE INDEX sign_in_verifications_expiry ON public.sign_in_verifications USING btree (expires_at);
CREATE INDEX sign_in_verifications_identifier ON public.sign_in_verifications USING btree (identifier);
CREATE INDEX static_exports_changing ON public.static_exports USING btree (changing_since, viewed_until) WHERE ((next_check_at IS NOT NULL) AND (finished_at IS NULL) AND (gone_at IS NULL) AND (removed_at IS NULL));
CREATE INDEX static_exports_domain ON public.static_exports USING btree (domain, started_at DESC, export_id) WHERE (removed_at IS NULL);
CREATE INDEX static_exports_due ON public.static_exports USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX static_exports_endings ON public.static_exports USING btree (finished_at DESC) WHERE ((unfinished_at IS NOT NULL) AND (finished_at IS NOT NULL));
CREATE INDEX static_exports_group ON public.static_exports USING btree (list_group, started_at DESC, export_id) WHERE (removed_at IS NULL);
CREATE INDEX static_exports_group_domain ON public.static_exports USING btree (list_group, domain, started_at DESC, export_id) WHERE (removed_at IS NULL);
CREATE UNIQUE INDEX static_exports_job ON public.static_exports USING btree (job_id) WHERE ((job_id IS NOT NULL) AND (removed_at IS NULL));
CREATE INDEX static_exports_list ON public.static_exports USING btree (started_at DESC, export_id) WHERE (removed_at IS NULL);
CREATE INDEX static_exports_removed ON public.static_exports USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE UNIQUE INDEX static_exports_request ON public.static_exports USING btree (request_id);
CREATE INDEX static_exports_search ON public.static_exports USING gin (to_tsvector('simple'::regconfig, translate(((((((COALESCE(domain, ''::text) || ' '::text) || COALESCE(version, ''::text)) || ' '::text) || COALESCE(job_id, ''::text)) || ' '::text) || COALESCE(status, ''::text)), ('!"#$%&''()*+,-./:<=>?@[\]^_`{|}~'::text || chr(59)), '                                '::text))) WITH (fastupdate='false') WHERE (removed_at IS NULL);
CREATE INDEX static_exports_took ON public.static_exports USING btree (domain, finished_at DESC, took_ms) WHERE (took_ms IS NOT NULL);
CREATE INDEX static_exports_troubled ON public.static_exports USING btree (troubled_at) WHERE ((removed_at IS NULL) AND (troubled_at IS NOT NULL));
CREATE INDEX two_factors_user ON public.two_factors USING btree (user_id);
ALTER INDEX pgboss.job_pkey ATTACH PARTITION pgboss.job_common_pkey;
ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20261123_name_captured_on_deferred_count_queued_idx;
ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20261123_pkey;
ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20261124_name_captured_on_deferred_count_queued_idx;
ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20261124_pkey;
CREATE TRIGGER agent_jobs_counted_delete AFTER DELETE ON public.agent_jobs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER agent_jobs_counted_insert AFTER INSERT ON public.agent_jobs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER agent_jobs_counted_update AFTER UPDATE ON public.agent_jobs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER api_tokens_changed AFTER DELETE OR UPDATE OF token_hash, scope, domains, project_ids, expires_at, revoked_at ON public.api_tokens FOR EACH STATEMENT EXECUTE FUNCTION public.accounts_changed();
CREATE TRIGGER audit_events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_events FOR EACH STATEMENT EXECUTE FUNCTION public.audit_is_append_only();
CREATE TRIGGER sessions_ended AFTER DELETE OR UPDATE OF token, user_id, expires_at ON public.sessions FOR EACH STATEMENT EXECUTE FUNCTION public.accounts_changed();
CREATE TRIGGER static_exports_counted_delete AFTER DELETE ON public.static_exports REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER static_exports_counted_insert AFTER INSERT ON public.static_exports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER static_exports_counted_update AFTER UPDATE ON public.static_exports REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_listed();
CREATE TRIGGER users_changed AFTER DELETE OR UPDATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION public.accounts_changed();
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
ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_in_accounts
    ADD CONSTRAINT sign_in_accounts_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.two_factors
    ADD CONSTRAINT two_factors_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

