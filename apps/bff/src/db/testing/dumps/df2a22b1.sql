-- second factor: GRSWYUTILBQWI3JQORFVSX3PJJZW6WJYHFVHUZSTIVYW6WCDG5UQ
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
INSERT INTO pgboss.job_common VALUES ('831d933d-a3ad-456c-b5e1-2407210fdb82', 'docket-often', 0, '{"name": "seal-audit"}', 'completed', 0, 0, 0, false, NULL, 3600, 3600, 'seal-audit', NULL, NULL, NULL, '2026-11-23 21:21:28.608785+00', '2026-11-23 21:21:28.608785+00', '2026-11-23 21:21:28.62258+00', '2026-11-23 21:21:28.743674+00', '2026-12-07 21:21:28.608785+00', NULL, NULL, 'short', '2026-11-23 21:21:28.62258+00', NULL, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('7793c591-d7e9-4549-860f-c4c40c3116ad', 'docket-often', 0, '{"name": "seal-audit"}', 'completed', 0, 0, 0, false, NULL, 3600, 3600, 'seal-audit', NULL, NULL, NULL, '2026-11-23 21:21:30.61132+00', '2026-11-23 21:21:30.61132+00', '2026-11-23 21:21:30.626657+00', '2026-11-23 21:21:30.683964+00', '2026-12-07 21:21:30.61132+00', NULL, NULL, 'short', '2026-11-23 21:21:30.626657+00', NULL, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('49063d97-a223-4bd7-b66a-822b2356f4af', 'docket-often', 0, '{"name": "seal-audit"}', 'completed', 0, 0, 0, false, NULL, 3600, 3600, 'seal-audit', NULL, NULL, NULL, '2026-11-23 21:21:32.240716+00', '2026-11-23 21:21:32.240716+00', '2026-11-23 21:21:32.25104+00', '2026-11-23 21:21:32.342571+00', '2026-12-07 21:21:32.240716+00', NULL, NULL, 'short', '2026-11-23 21:21:32.25104+00', NULL, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('6d4f78df-373b-4029-b0f1-f00309fe843e', 'docket-often', 0, '{"name": "seal-audit"}', 'completed', 0, 0, 0, false, NULL, 3600, 3600, 'seal-audit', NULL, NULL, NULL, '2026-11-23 21:21:36.363415+00', '2026-11-23 21:21:36.363415+00', '2026-11-23 21:21:36.374568+00', '2026-11-23 21:21:36.483262+00', '2026-12-07 21:21:36.363415+00', NULL, NULL, 'short', '2026-11-23 21:21:36.374568+00', NULL, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('d3b67d94-97b5-481d-ac37-4cb836487797', 'docket-often', 0, '{"name": "seal-audit"}', 'completed', 0, 0, 0, false, NULL, 3600, 3600, 'seal-audit', NULL, NULL, NULL, '2026-11-23 21:21:40.018959+00', '2026-11-23 21:21:40.018959+00', '2026-11-23 21:21:40.1195+00', '2026-11-23 21:21:40.21746+00', '2026-12-07 21:21:40.018959+00', NULL, NULL, 'short', '2026-11-23 21:21:40.1195+00', NULL, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('f34e271f-3041-4518-8344-83cd86d124f9', 'docket-often', 0, '{"name": "seal-audit"}', 'completed', 0, 0, 0, false, NULL, 3600, 3600, 'seal-audit', NULL, NULL, NULL, '2026-11-23 21:21:47.087722+00', '2026-11-23 21:21:47.087722+00', '2026-11-23 21:21:47.096902+00', '2026-11-23 21:21:47.129758+00', '2026-12-07 21:21:47.087722+00', NULL, NULL, 'short', '2026-11-23 21:21:47.096902+00', NULL, false, false, 0, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.queue VALUES ('__pgboss__send-it', 'standard', 2, 0, false, NULL, 900, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 21:21:27.700621+00', '2026-11-23 21:21:27.700621+00');
INSERT INTO pgboss.queue VALUES ('docket', 'exclusive', 5, 60, true, 3600, 3600, 1209600, 604800, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', 60, false, NULL, NULL, NULL, NULL, '2026-11-23 21:21:27.734685+00', '2026-11-23 21:21:27.734685+00');
INSERT INTO pgboss.queue VALUES ('docket-often', 'short', 0, 0, false, NULL, 3600, 1209600, 3600, NULL, false, 'job_common', 0, 0, 0, 0, 0, 0, 0, '{}', NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 21:21:28.226562+00', '2026-11-23 21:21:28.226562+00');
INSERT INTO pgboss.schedule VALUES ('docket', 'removed-exports', 'cron', '7 3 * * *', 'UTC', '{"name": "removed-exports"}', '{"tz": "UTC", "key": "removed-exports", "missed": "once", "singletonKey": "removed-exports"}', '2026-11-23 21:21:27.938716+00', '2026-11-23 21:21:27.938716+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'removed-jobs', 'cron', '17 3 * * *', 'UTC', '{"name": "removed-jobs"}', '{"tz": "UTC", "key": "removed-jobs", "missed": "once", "singletonKey": "removed-jobs"}', '2026-11-23 21:21:28.002357+00', '2026-11-23 21:21:28.002357+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'old-history', 'cron', '37 3 * * *', 'UTC', '{"name": "old-history"}', '{"tz": "UTC", "key": "old-history", "missed": "once", "singletonKey": "old-history"}', '2026-11-23 21:21:28.026065+00', '2026-11-23 21:21:28.026065+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'old-audit', 'cron', '47 3 * * *', 'UTC', '{"name": "old-audit"}', '{"tz": "UTC", "key": "old-audit", "missed": "once", "singletonKey": "old-audit"}', '2026-11-23 21:21:28.046664+00', '2026-11-23 21:21:28.046664+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'old-builds', 'cron', '57 3 * * *', 'UTC', '{"name": "old-builds"}', '{"tz": "UTC", "key": "old-builds", "missed": "once", "singletonKey": "old-builds"}', '2026-11-23 21:21:28.072859+00', '2026-11-23 21:21:28.072859+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'ended-sign-ins', 'cron', '47 * * * *', 'UTC', '{"name": "ended-sign-ins"}', '{"tz": "UTC", "key": "ended-sign-ins", "missed": "once", "singletonKey": "ended-sign-ins"}', '2026-11-23 21:21:28.098759+00', '2026-11-23 21:21:28.098759+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket', 'old-calls', 'cron', '27 * * * *', 'UTC', '{"name": "old-calls"}', '{"tz": "UTC", "key": "old-calls", "missed": "once", "singletonKey": "old-calls"}', '2026-11-23 21:21:28.115683+00', '2026-11-23 21:21:28.115683+00', NULL);
INSERT INTO pgboss.schedule VALUES ('docket-often', 'seal-audit', 'cron', '*/5 * * * *', 'UTC', '{"name": "seal-audit"}', '{"tz": "UTC", "key": "seal-audit", "missed": "once", "singletonKey": "seal-audit"}', '2026-11-23 21:21:28.274579+00', '2026-11-23 21:21:28.274579+00', NULL);
INSERT INTO pgboss.version VALUES (41, '2026-11-23 21:21:27.82282+00', '2026-11-23 21:21:28.026758+00', '2026-11-23 21:21:27.673408+00', NULL, NULL);
INSERT INTO public.agent_jobs VALUES ('docs', '64feead2-482a-4500-a259-9b5857bae544', 'completed', 'http://127.0.0.1:46709/code/docs', 'docs-agent/64feead2-482a-4500-a259-9b5857bae544', 'maintenance, no model', NULL, '2026-11-23 21:21:39.135+00', NULL, '2026-11-23 21:21:39.163+00', '2026-11-23 21:21:45.664+00', 6529, NULL, '2026-11-23 21:22:45.664+00', NULL, NULL, 0, '2026-11-23 21:21:39.135+00', '2026-11-23 21:21:45.272+00', '2026-11-23 21:22:46.971+00', '2026-11-23 21:21:47.001+00', NULL, 4, NULL, '0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', '2026-11-23 21:21:39.607+00', NULL, 0, DEFAULT, NULL, NULL, NULL, NULL, 'Fix typos', 'grace', 'Fix typos', true, false, NULL, '2026-11-23 21:21:39.148+00', NULL, NULL, 'Nothing to change.
No typo to fix.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, DEFAULT, DEFAULT);
INSERT INTO public.agent_prompts VALUES ('00000000-0000-4000-8000-000000000003', 'creation', 'docs', '64feead2-482a-4500-a259-9b5857bae544', 'Fix typos', 'accepted', NULL, NULL, 'grace', '2026-11-23 21:21:38.923+00', '2026-11-23 21:21:39.163+00', NULL, NULL, NULL, NULL, '0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', '{"action": "fix_typos"}');
INSERT INTO public.api_tokens VALUES ('df799f15-25b7-4ec2-9bd9-6f6bf49b2d1f', 'nightly', '6ac5a6def605f8b32d0601b3259a667a97fdbf4232c4ba1e5401f482efdd1359', '4Xew', 'operate', NULL, NULL, 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '2026-11-23 21:21:31.263+00', '2026-12-23 21:21:31.263+00', NULL, NULL, NULL, true);
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (1, '2026-11-23 21:21:26.456+00', 'docket', NULL, 'Docket', NULL, NULL, 'user.created', 'ok', 'user', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '{"from": "SETUP_ADMIN_EMAIL", "role": "admin", "first": true}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (2, '2026-11-23 21:21:28.201+00', 'person', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '127.0.0.1', 'c436b7c7-dee4-444a-8df7-fa0fe61fd7e7', 'session.signed_in', 'ok', 'user', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '{"with": "password"}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (3, '2026-11-23 21:21:31.183+00', 'person', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '127.0.0.1', '279be365-5078-4653-a3b1-a45cc7a662d1', 'user.second_factor_added', 'ok', 'user', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '{}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (4, '2026-11-23 21:21:31.263+00', 'person', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '127.0.0.1', 'e47f303a-3fee-493a-8449-c7ef4b6602e5', 'api_token.created', 'ok', 'api_token', 'df799f15-25b7-4ec2-9bd9-6f6bf49b2d1f', 'nightly', '{"scope": "operate", "domains": null, "projects": null, "expiresInDays": 30}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (5, '2026-11-23 21:21:31.292+00', 'person', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '127.0.0.1', '9c65c7e4-2499-4fca-adc2-40100a2a94e8', 'static_export.started', 'ok', 'static_export', '7396ee5d-44ed-4694-b50c-ff5d5b803f97', 'docs.example.com', '{}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (6, '2026-11-23 21:21:35.258+00', 'person', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '127.0.0.1', '7a8e012d-d9f9-425c-a995-df5d746a22d3', 'static_export.started', 'ok', 'static_export', '280350cd-bae2-4ee5-a5c8-baae5340abd4', 'docs.example.com', '{}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (7, '2026-11-23 21:21:38.923+00', 'person', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '127.0.0.1', 'e93ef0a2-de5c-4f29-a9c7-c9d3f731f604', 'agent_job.requested', 'ok', 'agent_job', NULL, 'docs', '{"characters": 9}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (8, '2026-11-23 21:21:39.163+00', 'person', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '127.0.0.1', 'e93ef0a2-de5c-4f29-a9c7-c9d3f731f604', 'agent_job.created', 'ok', 'agent_job', '64feead2-482a-4500-a259-9b5857bae544', 'docs/64feead2-482a-4500-a259-9b5857bae544', '{}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (9, '2026-11-23 21:21:46.086+00', 'person', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '127.0.0.1', '5f99b907-f4a6-43b0-8beb-775f9eaa7777', 'connection.added', 'ok', 'connection', '7adb1ab0-cbb6-4417-bbb7-0c8381a72fa5', 'Handbook', '{"address": "https://handbook.example.com", "production": false}');
INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (10, '2026-11-23 21:21:46.24+00', 'person', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', '127.0.0.1', '8af0daf2-1955-4252-beaf-56e1a793ee96', 'saved_view.created', 'ok', 'saved_view', 'db80071e-fa57-4fa1-ac96-b8e52687fd7a', 'Failures', '{"list": "exports"}');
INSERT INTO public.audit_seals VALUES (1, '5f56fb048be3e58744285dd9f7bf55150f0e68f5c7b3c25492a1b3e9d36dcb09');
INSERT INTO public.audit_seals VALUES (2, '679ff92bb39d5d96a76e192a00dabdec0847fb6da85aa693a2043691cfcfb681');
INSERT INTO public.audit_seals VALUES (3, '589b193fb0b6c8b6ccd9eb54980911581b9b6d19ef2103e2098a5ebf4ed586ec');
INSERT INTO public.audit_seals VALUES (4, '87b769d8840fd47a02b17d01be50e0676ae596853a42248d7ed206c36a1b113d');
INSERT INTO public.audit_seals VALUES (5, '2321e01ece84c03ab2dda1b2f086a3d325bcba6defc1f513e6b53b2793db68fe');
INSERT INTO public.audit_seals VALUES (6, 'c481fd7cd3f674ae87579f7c416974ae79b0390ef1e66d8008a9608384140879');
INSERT INTO public.audit_seals VALUES (7, 'dc5691cadcf926d1ee87a6120e70babb043eb8fce4229987d3e8788c0b348772');
INSERT INTO public.audit_seals VALUES (8, '425729995d43122b6f445bb96fceb59010a56cc1ccd67d7214c389e1b6eaa417');
INSERT INTO public.audit_seals VALUES (9, '6b07cc7bbe43acdc38da15cc2ad526c4ec21fae8d37f5918229a902e26dac8ca');
INSERT INTO public.audit_seals VALUES (10, '755b38f77bbe5beb27e1b075db6b845bf1f36203dd3a19c57333e17b5992b3c6');
INSERT INTO public.call_answers VALUES ('0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', 'startStaticExport', '2026-11-23 21:21:35.458+00', '2026-11-23 21:21:35.458+00', NULL, NULL, 64.93930999999793);
INSERT INTO public.call_answers VALUES ('0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', 'getStaticExport', '2026-11-23 21:21:38.697+00', '2026-11-23 21:21:38.697+00', NULL, NULL, 42.87694400000328);
INSERT INTO public.call_answers VALUES ('0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', 'createAgentJob', '2026-11-23 21:21:39.157+00', '2026-11-23 21:21:39.157+00', NULL, NULL, 85.58813999999984);
INSERT INTO public.call_answers VALUES ('7adb1ab0-cbb6-4417-bbb7-0c8381a72fa5', 'getStaticExport', '2026-11-23 21:21:46.401+00', NULL, 'upstream_unavailable', 'No connection: its name is unknown (ENOTFOUND). Check the address in Settings › Connections and the network. Address: https://handbook.example.com.', 10.051131000000169);
INSERT INTO public.call_answers VALUES ('0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', 'getAgentJob', '2026-11-23 21:21:47.001+00', '2026-11-23 21:21:47.001+00', NULL, NULL, 2.46488600000157);
INSERT INTO public.call_budgets VALUES ('7adb1ab0-cbb6-4417-bbb7-0c8381a72fa5', 'main', 79, 1795468906381);
INSERT INTO public.call_budgets VALUES ('0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', 'main', 179, 1795468906980);
INSERT INTO public.call_gates VALUES ('0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', 'static_exports', '{"pause": null, "closed": null, "outage": 0, "closings": 0, "lastGoodMs": 1795468892022, "probeUntilMs": null}', 'main');
INSERT INTO public.call_gates VALUES ('0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', 'agent_prompts', '{"pause": null, "closed": null, "outage": 0, "closings": 0, "lastGoodMs": null, "probeUntilMs": null}', 'main');
INSERT INTO public.call_gates VALUES ('0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', 'agent_jobs', '{"pause": null, "closed": null, "outage": 0, "closings": 0, "lastGoodMs": 1795468899532, "probeUntilMs": null}', 'main');
INSERT INTO public.call_gates VALUES ('7adb1ab0-cbb6-4417-bbb7-0c8381a72fa5', 'agent_jobs', '{"pause": null, "closed": null, "outage": 0, "closings": 0, "lastGoodMs": null, "probeUntilMs": null}', 'main');
INSERT INTO public.call_gates VALUES ('7adb1ab0-cbb6-4417-bbb7-0c8381a72fa5', 'static_exports', '{"pause": null, "closed": null, "outage": 1, "closings": 0, "lastGoodMs": null, "probeUntilMs": null}', 'main');
INSERT INTO public.call_minutes VALUES ('7adb1ab0-cbb6-4417-bbb7-0c8381a72fa5', 'main', '2026-11-23 21:21:00+00', 0, 1, 0, 1);
INSERT INTO public.call_minutes VALUES ('0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', 'main', '2026-11-23 21:21:00+00', 30, 3, 0, 0);
INSERT INTO public.connection_keys VALUES ('7adb1ab0-cbb6-4417-bbb7-0c8381a72fa5', 'f06f63bd5654b4735381d7bd83f94343', '2026-11-23 21:21:46.372+00', NULL, NULL, NULL, 'not_proven', 'Docket couldn’t test the key. No connection: its name is unknown (ENOTFOUND). Check the address in Settings › Connections and the network. Address: https://handbook.example.com.', '2026-11-23 21:21:46.408+00');
INSERT INTO public.connection_states VALUES ('7adb1ab0-cbb6-4417-bbb7-0c8381a72fa5', '{"shown": {"state": "unreachable", "message": "No connection: its name is unknown (ENOTFOUND). Check the address in Settings › Connections and the network. Address: https://handbook.example.com."}, "sinceMs": 1795468906401, "lastOkMs": null, "forbidden": {}, "keyTroubles": {}}');
INSERT INTO public.connection_states VALUES ('0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', '{"shown": {"state": "ok", "message": null}, "sinceMs": 1795468891472, "lastOkMs": 1795468907001, "forbidden": {}, "keyTroubles": {}}');
INSERT INTO public.connections VALUES ('00000000-0000-0000-0000-000000000000', 'Unassigned', 'unassigned', 'docket', NULL, NULL, NULL, NULL, NULL, NULL, 'cloud', 0, 30000, '[]', false, false, NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 21:21:22.773+00');
INSERT INTO public.connections VALUES ('0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', 'This machine', 'embedded', 'docket', NULL, NULL, NULL, NULL, NULL, NULL, 'cloud', 36000, 30000, '[]', true, true, NULL, false, NULL, NULL, NULL, NULL, '2026-11-23 21:21:26.323+00');
INSERT INTO public.connections VALUES ('7adb1ab0-cbb6-4417-bbb7-0c8381a72fa5', 'Handbook', 'service', 'settings', 'https://handbook.example.com', '$ba$209187622059651$98ee5754416c2700e09b8c0eb6560e6a684f196ce31a13244139bab489504430d0f26bd7ae807ae217c3eedc27d0', NULL, NULL, NULL, NULL, 'cloud', 3600, 30000, '[]', false, false, NULL, false, NULL, NULL, NULL, 'grace', '2026-11-23 21:21:46.084+00');
INSERT INTO public.grants VALUES ('6edc5bbf-67f6-462f-a7c6-3dab60d4691b', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', NULL, 'admin', NULL, NULL, '2026-11-23 21:21:27.524+00');
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (1, 'static_export', '7396ee5d-44ed-4694-b50c-ff5d5b803f97', 'requested', '2026-11-23 21:21:31.292+00', NULL, NULL, NULL, NULL, 'grace', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (2, 'static_export', '7396ee5d-44ed-4694-b50c-ff5d5b803f97', 'accepted', '2026-11-23 21:21:31.502+00', NULL, NULL, NULL, '66a766df-eb8b-432a-a4d6-0c4d4127689c', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (3, 'static_export', '7396ee5d-44ed-4694-b50c-ff5d5b803f97', 'status_changed', '2026-11-23 21:21:31.502+00', NULL, NULL, NULL, 'queued', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (4, 'static_export', '7396ee5d-44ed-4694-b50c-ff5d5b803f97', 'status_changed', '2026-11-23 21:21:32.035+00', NULL, NULL, 'queued', 'running', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (5, 'static_export', '7396ee5d-44ed-4694-b50c-ff5d5b803f97', 'progressed', '2026-11-23 21:21:33.983+00', NULL, NULL, NULL, '50', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (6, 'static_export', '7396ee5d-44ed-4694-b50c-ff5d5b803f97', 'progressed', '2026-11-23 21:21:34.438+00', NULL, NULL, NULL, '75', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (7, 'static_export', '7396ee5d-44ed-4694-b50c-ff5d5b803f97', 'completed', '2026-11-23 21:21:34.883+00', NULL, NULL, NULL, NULL, NULL, 'completed', NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (8, 'static_export', '280350cd-bae2-4ee5-a5c8-baae5340abd4', 'requested', '2026-11-23 21:21:35.258+00', NULL, NULL, NULL, NULL, 'grace', NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (9, 'static_export', '280350cd-bae2-4ee5-a5c8-baae5340abd4', 'accepted', '2026-11-23 21:21:35.511+00', NULL, NULL, NULL, '92837e47-1f79-4f28-97ea-d196759ed0aa', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (10, 'static_export', '280350cd-bae2-4ee5-a5c8-baae5340abd4', 'status_changed', '2026-11-23 21:21:35.511+00', NULL, NULL, NULL, 'queued', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (11, 'static_export', '280350cd-bae2-4ee5-a5c8-baae5340abd4', 'status_changed', '2026-11-23 21:21:36.312+00', NULL, NULL, 'queued', 'running', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (12, 'static_export', '280350cd-bae2-4ee5-a5c8-baae5340abd4', 'progressed', '2026-11-23 21:21:38.178+00', NULL, NULL, NULL, '50', NULL, NULL, NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (13, 'static_export', '280350cd-bae2-4ee5-a5c8-baae5340abd4', 'completed', '2026-11-23 21:21:38.745+00', NULL, NULL, NULL, NULL, NULL, 'completed', NULL);
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (14, 'agent_job', '["docs","64feead2-482a-4500-a259-9b5857bae544"]', 'created', '2026-11-23 21:21:39.163+00', NULL, NULL, NULL, 'active', 'grace', NULL, '0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d');
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (15, 'agent_job', '["docs","64feead2-482a-4500-a259-9b5857bae544"]', 'begun', '2026-11-23 21:21:39.637+00', NULL, NULL, NULL, NULL, NULL, NULL, '0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d');
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (16, 'agent_job', '["docs","64feead2-482a-4500-a259-9b5857bae544"]', 'completed', '2026-11-23 21:21:45.692+00', NULL, NULL, 'active', NULL, NULL, NULL, '0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d');
INSERT INTO public.history_events OVERRIDING SYSTEM VALUE VALUES (17, 'agent_job', '["docs","64feead2-482a-4500-a259-9b5857bae544"]', 'no_pull_request', '2026-11-23 21:21:45.692+00', NULL, NULL, NULL, NULL, NULL, 'no_pull_request', '0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d');
INSERT INTO public.instance VALUES (1, '14b5818e', NULL, '57e3d6a51d1f506ba98bda246aab3abc6d2662cf00c3349950751d2d39ccebec');
INSERT INTO public.list_revisions VALUES ('accounts', 7, '8041ddda-b7a8-404e-bfb7-ec05f3e900db', '{}', '{}');
INSERT INTO public.list_revisions VALUES ('static_exports', 11, '0365ef71-d375-4bbf-8802-58f35e496547', '{"completed": 2}', '{"0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d/completed": 2}');
INSERT INTO public.list_revisions VALUES ('agent_jobs', 4, 'cd249e1c-74d7-40db-90a6-fec875fff65d', '{"no_pull_request": 1}', '{"0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d/no_pull_request": 1}');
INSERT INTO public.list_revisions VALUES ('connections', 3, '42a2d090-9ea4-4bc8-bc9f-dec89b94c1b8', '{}', '{}');
INSERT INTO public.progress_scales VALUES ('0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', 0, true);
INSERT INTO public.saved_views VALUES ('db80071e-fa57-4fa1-ac96-b8e52687fd7a', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'exports', 'Failures', 'group=failed', '2026-11-23 21:21:46.238+00');
INSERT INTO public.sessions VALUES ('3b331e8a-067c-4cb2-8ca6-e767b48e829f', '67f05e892f5d7f516b343c6e1241fb7491ad9a698c794961f4fefdeea6aaaced', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', '2026-12-23 21:21:31.183+00', '127.0.0.1', 'node', '2026-11-23 21:21:31.183+00', '2026-11-23 21:21:31.183+00');
INSERT INTO public.sign_in_accounts VALUES ('18e0b11d-59dc-428b-9ae5-b7c90619c1cc', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'credential', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', NULL, NULL, NULL, NULL, NULL, NULL, '$argon2id$v=19$m=65536,t=3,p=1$bXWInZXrNxCc7L2b1YBIdw$XySlNW+qEj1voep/ZHzpx2TxL2qY4LR4u8fxuxG71yc', '2026-11-23 21:21:27.524+00', '2026-11-23 21:21:27.524+00');
INSERT INTO public.sign_in_attempts VALUES ('983f98a7a48c54dd666014e9f70b50547a79e4d8034bcf945c97cc23848e1f3e', 39, '2026-11-23 21:21:28.226+00');
INSERT INTO public.sign_in_verifications VALUES ('e496413d-fda4-45e8-bb68-a7da1a1a213e', 'used-code:cbca96c8-7780-4ed5-8247-b4f5e8bb55f2:934566', '', '2026-11-23 21:24:31.183+00', '2026-11-23 21:21:31.193+00', '2026-11-23 21:21:31.193+00');
INSERT INTO public.static_exports VALUES ('7396ee5d-44ed-4694-b50c-ff5d5b803f97', '00000000-0000-4000-8000-000000000001', 'docs.example.com', NULL, NULL, 'completed', '66a766df-eb8b-432a-a4d6-0c4d4127689c', 'completed', 100, true, 1, 0.5070993914807302, NULL, false, '2026-11-23 21:21:31.292+00', '2026-11-23 21:21:34.862+00', 3570, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '2026-11-23 21:21:31.292+00', '2026-11-23 21:21:34.39+00', '2026-11-23 21:22:33.752+00', '2026-11-23 21:21:34.862+00', NULL, 6, NULL, DEFAULT, DEFAULT, '0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', NULL, '2026-11-23 21:21:32.028+00', NULL, 0, NULL, NULL, NULL, NULL);
INSERT INTO public.static_exports VALUES ('280350cd-bae2-4ee5-a5c8-baae5340abd4', '00000000-0000-4000-8000-000000000002', 'docs.example.com', NULL, NULL, 'completed', '92837e47-1f79-4f28-97ea-d196759ed0aa', 'completed', 100, true, 1, 0.9276437847866419, NULL, false, '2026-11-23 21:21:35.258+00', '2026-11-23 21:21:38.697+00', 3439, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '2026-11-23 21:21:35.258+00', '2026-11-23 21:21:38.158+00', '2026-11-23 21:22:38.337+00', '2026-11-23 21:21:38.697+00', NULL, 11, NULL, DEFAULT, DEFAULT, '0e1c14d7-05d8-4bd2-a8ed-fae98f812c8d', NULL, '2026-11-23 21:21:36.298+00', NULL, 0, NULL, NULL, NULL, NULL);
INSERT INTO public.two_factors VALUES ('e68705a7-21b5-459c-a4c2-c4f7bd41d1af', 'cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', '$ba$209187622059651$1f46a2bdd234e73f8e28149f7995fc426c9a641a63534e0aae56c67f741a29e4ae1e3badc2133b4dbca77b43cebc7ee50c4f8854a0d96e3b6fa9a2408e5e4b3f2383a49b461c439b', '$ba$209187622059651$a0eb710955d2b47928970241bad5bed6d4c541f7993168bb77c73262baf348d3873736daecb98f50b402ad9c367851646f328e802657b0dedf82e08769bbfc1789336da1562d1409e15d7b9c4f96170c37470ddd5f379b97081b0f9bc2858662271f193239724fdfa40b44050d1025f486ab8b144773e26b6c8e807cd7a12b61ba2a23a7157a551c643e5b790c236a6a8d61c2c7b32288beef4e059a561cf8d4aa94d8fe63fb59bbc45a89a86b90e0c66ef76ba84e', true, 0, NULL);
INSERT INTO public.users VALUES ('cbca96c8-7780-4ed5-8247-b4f5e8bb55f2', 'grace', 'grace@example.com', false, NULL, 'admin', NULL, true, '2026-11-23 21:21:26.456+00', '2026-11-23 21:21:31.183+00', '[]', true);
SELECT pg_catalog.setval('drizzle.__drizzle_migrations_id_seq', 13, true);
SELECT pg_catalog.setval('public.audit_events_audit_id_seq', 10, true);
SELECT pg_catalog.setval('public.history_events_event_id_seq', 17, true);
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
    ADD CONSTRAINT agent_jobs_connection_id_project_id_id_pk PRIMARY KEY (connection_id, project_id, id);
ALTER TABLE ONLY public.agent_prompts
    ADD CONSTRAINT agent_prompts_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (token_id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_token_hash_unique UNIQUE (token_hash);
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
ALTER TABLE ONLY public.static_exports
    ADD CONSTRAINT static_exports_pkey PRIMARY KEY (export_id);
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

