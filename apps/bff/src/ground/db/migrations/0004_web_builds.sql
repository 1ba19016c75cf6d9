CREATE TABLE "web_files" (
	"path" text PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL,
	"brotli" "bytea",
	"gzip" "bytea",
	"used_at" timestamp (3) with time zone NOT NULL
);
