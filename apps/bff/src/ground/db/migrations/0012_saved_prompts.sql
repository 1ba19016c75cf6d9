CREATE TABLE "saved_prompts" (
	"prompt_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "may_prompt" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "may_prompt" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_prompts_title" ON "saved_prompts" USING btree (lower("title"));