CREATE TABLE "sign_in_attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"left" double precision NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "instance" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"secret" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "one_time_links" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" uuid,
	"email" text,
	"role" text,
	"created_by" text,
	"created_by_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "one_time_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text,
	"public_key" text NOT NULL,
	"user_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"counter" integer NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"transports" text,
	"created_at" timestamp (3) with time zone DEFAULT now(),
	"aaguid" text,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token" text NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "sign_in_accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp (3) with time zone,
	"refresh_token_expires_at" timestamp (3) with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "two_factors" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"verified" boolean DEFAULT true NOT NULL,
	"failed_verification_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"role" text DEFAULT 'viewer' NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"two_factor_enabled" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "sign_in_verifications" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agent_jobs" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"status" text,
	"repository" text,
	"ref" text,
	"model" text,
	"pr_link" text,
	"created_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"followed_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"took_ms" bigint,
	"gone_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"lease_owner" text,
	"lease_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"changing_since" timestamp (3) with time zone,
	"unfinished_at" timestamp (3) with time zone,
	"viewed_until" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"check_failure" jsonb,
	"revision" bigint DEFAULT 0 NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"list_group" text GENERATED ALWAYS AS (case
  when gone_at is not null then 'gone'
  when status in ('failed', 'archived') then status
  when status = 'completed' then case when pr_link is null then 'no_pull_request' else 'pull_request_ready' end
  else 'working' end) STORED NOT NULL,
	"troubled_at" timestamp (3) with time zone GENERATED ALWAYS AS (case
  when gone_at is not null then coalesce(finished_at, gone_at)
  when status = 'failed' then coalesce(finished_at, followed_at) end) STORED,
	CONSTRAINT "agent_jobs_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "agent_prompts" (
	"request_id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"project_id" text NOT NULL,
	"job_id" text,
	"prompt" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"code" text,
	"sent_by" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"lease_owner" text,
	"lease_until" timestamp (3) with time zone,
	"replaced_by" uuid,
	"forgotten_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"token_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"hint" text NOT NULL,
	"scope" text NOT NULL,
	"domains" jsonb,
	"project_ids" jsonb,
	"created_by" uuid,
	"created_by_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_tokens_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"audit_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_events_audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"actor_name" text NOT NULL,
	"address" text,
	"request_id" uuid,
	"action" text NOT NULL,
	"outcome" text NOT NULL,
	"target_type" text,
	"target_id" text,
	"target_name" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "history_events" (
	"event_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "history_events_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"record_type" text NOT NULL,
	"record_key" text NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone,
	"field" text,
	"from_value" text,
	"to_value" text,
	"by" text,
	"ending" text
);
--> statement-breakpoint
CREATE TABLE "static_exports" (
	"export_id" uuid PRIMARY KEY NOT NULL,
	"request_id" uuid,
	"domain" text NOT NULL,
	"version" text,
	"paths" jsonb,
	"state" text NOT NULL,
	"job_id" text,
	"status" text,
	"progress" double precision,
	"progress_is_percent" boolean DEFAULT false NOT NULL,
	"page_count" integer,
	"pages_per_second" double precision,
	"reason" text,
	"imported" boolean DEFAULT false NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"took_ms" bigint,
	"gone_at" timestamp (3) with time zone,
	"replaced_by" uuid,
	"bundle_size_bytes" bigint,
	"bundle_sha256" text,
	"bundle_prepared_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"lease_owner" text,
	"lease_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"changing_since" timestamp (3) with time zone,
	"unfinished_at" timestamp (3) with time zone,
	"viewed_until" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"check_failure" jsonb,
	"revision" bigint DEFAULT 0 NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"list_group" text GENERATED ALWAYS AS (case
  when state in ('starting', 'accepted') and gone_at is null then 'active'
  when state = 'accepted' then 'gone'
  else state end) STORED NOT NULL,
	"troubled_at" timestamp (3) with time zone GENERATED ALWAYS AS (case
  when state = 'unknown' and replaced_by is null then timestamptz '9999-01-01 00:00:00+00'
  when state in ('failed', 'refused') then coalesce(finished_at, started_at)
  when state = 'accepted' then gone_at end) STORED
);
--> statement-breakpoint
CREATE TABLE "call_answers" (
	"origin" text NOT NULL,
	"operation" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"ok_at" timestamp (3) with time zone,
	"code" text,
	"message" text,
	"ms" double precision NOT NULL,
	CONSTRAINT "call_answers_origin_operation_pk" PRIMARY KEY("origin","operation")
);
--> statement-breakpoint
CREATE TABLE "call_budgets" (
	"origin" text NOT NULL,
	"key" text NOT NULL,
	"tokens" double precision NOT NULL,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "call_budgets_origin_key_pk" PRIMARY KEY("origin","key")
);
--> statement-breakpoint
CREATE TABLE "call_gates" (
	"origin" text NOT NULL,
	"calls" text NOT NULL,
	"state" jsonb NOT NULL,
	CONSTRAINT "call_gates_origin_calls_pk" PRIMARY KEY("origin","calls")
);
--> statement-breakpoint
CREATE TABLE "call_minutes" (
	"origin" text NOT NULL,
	"key" text NOT NULL,
	"minute" timestamp (3) with time zone NOT NULL,
	"polls" integer NOT NULL,
	"clicks" integer NOT NULL,
	"rate_limited" integer NOT NULL,
	"failed" integer NOT NULL,
	CONSTRAINT "call_minutes_origin_minute_key_pk" PRIMARY KEY("origin","minute","key")
);
--> statement-breakpoint
CREATE TABLE "connection_states" (
	"origin" text PRIMARY KEY NOT NULL,
	"state" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "list_revisions" (
	"list" text PRIMARY KEY NOT NULL,
	"revision" bigint NOT NULL,
	"tag" uuid DEFAULT gen_random_uuid() NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "one_time_links" ADD CONSTRAINT "one_time_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_accounts" ADD CONSTRAINT "sign_in_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sign_in_attempts_age" ON "sign_in_attempts" USING btree ("at");--> statement-breakpoint
CREATE INDEX "one_time_links_kind" ON "one_time_links" USING btree ("kind","created_at");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_accounts_user" ON "sign_in_accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_accounts_subject" ON "sign_in_accounts" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE INDEX "two_factors_user" ON "two_factors" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_verifications_identifier" ON "sign_in_verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "sign_in_verifications_expiry" ON "sign_in_verifications" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "agent_jobs_list" ON "agent_jobs" USING btree ("followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_group" ON "agent_jobs" USING btree ("list_group","followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_repository" ON "agent_jobs" USING btree ("repository","followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_model" ON "agent_jobs" USING btree ("model","followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_group_repository" ON "agent_jobs" USING btree ("list_group","repository","followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_group_model" ON "agent_jobs" USING btree ("list_group","model","followed_at" DESC NULLS FIRST,"project_id","id") WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_troubled" ON "agent_jobs" USING btree ("troubled_at") WHERE "agent_jobs"."removed_at" is null and "agent_jobs"."troubled_at" is not null;--> statement-breakpoint
CREATE INDEX "agent_jobs_search" ON "agent_jobs" USING gin (to_tsvector('simple'::regconfig, translate(coalesce("project_id", '') || ' ' || coalesce("id", '') || ' ' || coalesce("repository", '') || ' ' || coalesce("ref", '') || ' ' || coalesce("model", ''), '!"#$%&''()*+,-./:<=>?@[\]^_`{|}~' || chr(59), '                                '))) WITH (fastupdate=false) WHERE "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_changing" ON "agent_jobs" USING btree ("changing_since","viewed_until") WHERE "agent_jobs"."next_check_at" is not null and "agent_jobs"."finished_at" is null and "agent_jobs"."gone_at" is null and "agent_jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "agent_jobs_endings" ON "agent_jobs" USING btree ("finished_at" DESC NULLS FIRST) WHERE "agent_jobs"."unfinished_at" is not null and "agent_jobs"."finished_at" is not null;--> statement-breakpoint
CREATE INDEX "agent_jobs_took" ON "agent_jobs" USING btree ("repository","finished_at" DESC NULLS FIRST,"took_ms") WHERE "agent_jobs"."took_ms" is not null;--> statement-breakpoint
CREATE INDEX "agent_jobs_took_any" ON "agent_jobs" USING btree ("finished_at" DESC NULLS FIRST,"took_ms") WHERE "agent_jobs"."took_ms" is not null;--> statement-breakpoint
CREATE INDEX "agent_jobs_removed" ON "agent_jobs" USING btree ("removed_at") WHERE "agent_jobs"."removed_at" is not null;--> statement-breakpoint
CREATE INDEX "agent_jobs_due" ON "agent_jobs" USING btree ("next_check_at") WHERE "agent_jobs"."next_check_at" is not null;--> statement-breakpoint
CREATE INDEX "agent_prompts_job" ON "agent_prompts" USING btree ("project_id","job_id","sent_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "agent_prompts_open" ON "agent_prompts" USING btree ("sent_at" DESC NULLS FIRST) WHERE "agent_prompts"."state" in ('sending', 'unknown');--> statement-breakpoint
CREATE INDEX "api_tokens_created" ON "api_tokens" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "audit_events_at" ON "audit_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_events_action" ON "audit_events" USING btree ("action","audit_id");--> statement-breakpoint
CREATE INDEX "audit_events_actor" ON "audit_events" USING btree ("actor_id","audit_id");--> statement-breakpoint
CREATE INDEX "audit_events_target" ON "audit_events" USING btree ("target_type","target_id","audit_id");--> statement-breakpoint
CREATE INDEX "history_events_record" ON "history_events" USING btree ("record_type","record_key","event_id");--> statement-breakpoint
CREATE INDEX "history_events_age" ON "history_events" USING btree ("record_type","at");--> statement-breakpoint
CREATE INDEX "history_events_endings" ON "history_events" USING btree ("event_id") WHERE "history_events"."ending" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "static_exports_request" ON "static_exports" USING btree ("request_id");--> statement-breakpoint
CREATE UNIQUE INDEX "static_exports_job" ON "static_exports" USING btree ("job_id") WHERE "static_exports"."job_id" is not null and "static_exports"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "static_exports_list" ON "static_exports" USING btree ("started_at" DESC NULLS FIRST,"export_id") WHERE "static_exports"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "static_exports_group" ON "static_exports" USING btree ("list_group","started_at" DESC NULLS FIRST,"export_id") WHERE "static_exports"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "static_exports_domain" ON "static_exports" USING btree ("domain","started_at" DESC NULLS FIRST,"export_id") WHERE "static_exports"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "static_exports_group_domain" ON "static_exports" USING btree ("list_group","domain","started_at" DESC NULLS FIRST,"export_id") WHERE "static_exports"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "static_exports_troubled" ON "static_exports" USING btree ("troubled_at") WHERE "static_exports"."removed_at" is null and "static_exports"."troubled_at" is not null;--> statement-breakpoint
CREATE INDEX "static_exports_search" ON "static_exports" USING gin (to_tsvector('simple'::regconfig, translate(coalesce("domain", '') || ' ' || coalesce("version", '') || ' ' || coalesce("job_id", '') || ' ' || coalesce("status", ''), '!"#$%&''()*+,-./:<=>?@[\]^_`{|}~' || chr(59), '                                '))) WITH (fastupdate=false) WHERE "static_exports"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "static_exports_changing" ON "static_exports" USING btree ("changing_since","viewed_until") WHERE "static_exports"."next_check_at" is not null and "static_exports"."finished_at" is null and "static_exports"."gone_at" is null and "static_exports"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "static_exports_endings" ON "static_exports" USING btree ("finished_at" DESC NULLS FIRST) WHERE "static_exports"."unfinished_at" is not null and "static_exports"."finished_at" is not null;--> statement-breakpoint
CREATE INDEX "static_exports_took" ON "static_exports" USING btree ("domain","finished_at" DESC NULLS FIRST,"took_ms") WHERE "static_exports"."took_ms" is not null;--> statement-breakpoint
CREATE INDEX "static_exports_removed" ON "static_exports" USING btree ("removed_at") WHERE "static_exports"."removed_at" is not null;--> statement-breakpoint
CREATE INDEX "static_exports_due" ON "static_exports" USING btree ("next_check_at") WHERE "static_exports"."next_check_at" is not null;