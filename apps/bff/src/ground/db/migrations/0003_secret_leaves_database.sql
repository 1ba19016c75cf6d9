-- The secret waits in `moving_secret` until a Docket has written it to DATA_DIR. A new name, so that an older version that starts at this moment fails instead of working with an empty secret.
ALTER TABLE "instance" RENAME COLUMN "secret" TO "moving_secret";--> statement-breakpoint
ALTER TABLE "instance" ALTER COLUMN "moving_secret" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "instance" ADD COLUMN "secret_check" text;
