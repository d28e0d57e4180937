// Written by `make client` from openapi.json (sha256 9163187e1e0d1059848c9bac967011b5042687468657b12af004c59007bd6965): change the server instead.

export interface paths {
    "/v1/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List memories and summaries, newest first
         * @description List memories and summaries, newest first.
         */
        get: operations["memories_list"];
        put?: never;
        /**
         * Write memories, all of them or none
         * @description Write memories, all of them or none.
         *
         *     An id that is there with the same content is answered with ``created: false``, so a write may be repeated. 409 for
         *     an id that is there with other content, 410 for a forgotten id without ``revive``.
         */
        post: operations["memories_write"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/{memory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one memory, or a summary as the memory it is
         * @description Read one memory, or a summary as the memory it is; its ``ETag`` is for ``If-Match`` of an edit.
         */
        get: operations["memories_read"];
        put?: never;
        post?: never;
        /**
         * Forget one memory and everything that rests on it
         * @description Forget one memory and everything that rests on it; the receipt names what went.
         */
        delete: operations["memories_forget"];
        options?: never;
        head?: never;
        /**
         * Replace what the body names
         * @description Replace what the body names. The old text is forgotten at once; summaries that rested on it follow.
         *
         *     409 for a summary (it is derived: edit its sources) and for an expired memory (its text is gone). With ``If-Match``
         *     and the ``ETag`` of the memory that was read: 412, and nothing is written, when it is another by now.
         */
        patch: operations["memories_edit"];
        trace?: never;
    };
    "/v1/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forget by ids, or in words: show what a request means, then forget what was shown
         * @description Forget by ids, or in words: show what a request means, then forget what was shown.
         *
         *     With ``ids``: the receipt; ids that name nothing are in ``not_found``, 404 where none exists. With ``what``: a
         *     preview of what goes, what is in doubt and what stays near it, of which nothing is forgotten yet; 404 where nothing
         *     is meant and nothing is near. With ``preview_id``, or with ``what`` and ``confirm: true``: the receipt of what was
         *     surely meant, and of what was in doubt where ``include_doubtful`` says so. With ``preview_id`` rows can be chosen:
         *     those of ``also``, which were in doubt, go as well, and those of ``keep`` stay.
         */
        post: operations["memories_forget_many"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that is held about a user, as precis export writes it: JSON lines, all of one moment
         * @description Everything that is held about a user, as ``precis export`` writes it: JSON lines, all of one moment.
         *
         *     404 for a user of whom there is nothing.
         */
        get: operations["users_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put what an export wrote into this store, which must not know the user: all of it or nothing
         * @description Put what an export wrote into this store, which must not know the user: all of it or nothing.
         *
         *     The lines of ``GET /v1/users/{user_id}/export`` as they are, read while they come, at most 256 MiB; a second export
         *     is the first byte for byte. What was forgotten here stays away, and what rests on it. 409 where the user is known,
         *     410 where all of it was forgotten.
         */
        post: operations["users_import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users of whom anything is held, by their names, and how much
         * @description List the users of whom anything is held, by their names, and how much.
         */
        get: operations["users_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Answer how much is held of one user
         * @description Answer how much is held of one user.
         */
        get: operations["users_read"];
        put?: never;
        post?: never;
        /**
         * Forget everything of a user, then destroy the key that could open old copies of it
         * @description Forget everything of a user, then destroy the key that could open old copies of it.
         *
         *     404 for a user of whom there is nothing: no key is destroyed, and no receipt says that somebody is gone.
         */
        delete: operations["users_forget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was forgotten, the latest first: receipts as they were signed, and the signed head of the chain
         * @description List what was forgotten, the latest first: receipts as they were signed, and the signed head of the chain.
         */
        get: operations["receipts_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public key that verifies receipts, and its fingerprint
         * @description The public key that verifies receipts, and its fingerprint.
         */
        get: operations["receipts_key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{receipt_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one receipt as it was signed, and the one that completes it once a pool has confirmed
         * @description Read one receipt as it was signed, and the one that completes it once a pool has confirmed.
         */
        get: operations["receipts_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verify-forgotten": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look for words everywhere precis writes
         * @description Look for words everywhere precis writes. They are not stored, logged or repeated.
         *
         *     With a key only what is the tenant's own is looked into, and not the files, which hold rows of every tenant. What
         *     takes longer than a few seconds is answered with 202 and a task.
         */
        post: operations["receipts_verify_forgotten"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find what matters for a question, raw memories and summaries together, best first
         * @description Find what matters for a question, raw memories and summaries together, best first.
         *
         *     ``parts`` are what the score is the sum of; ``relevance`` is the chance that the row is evidence at all, and means
         *     the same in every answer. ``source_ids`` of a summary are its source rows; with ``expand`` the
         *     rows themselves come along. With ``fold`` they are found in ``folded`` and count as rows of the answer.
         */
        post: operations["recall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The best context for a question that fits a token budget: key insights, what current summaries say, memories
         * @description The best context for a question that fits a token budget: key insights, what current summaries say, memories.
         *
         *     Each line has a number, the id it is from and the memories it rests on. What was found and is not there is counted.
         *     Where nothing is relevant the context is empty.
         */
        post: operations["recall_context"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List summaries, the newest refresh first
         * @description List summaries, the newest refresh first; with ``as_of`` those that stood then, as far as that is kept.
         */
        get: operations["summaries_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summaries/{summary_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one summary: each statement with the memories it rests on
         * @description Read one summary: each statement with the memories it rests on.
         *
         *     With ``as_of`` as it stood then; 404 where that is not kept.
         */
        get: operations["summaries_read"];
        put?: never;
        post?: never;
        /**
         * Remove a summary
         * @description Remove a summary. None is made of the same sources until they change.
         */
        delete: operations["summaries_delete"];
        options?: never;
        head?: never;
        /**
         * Refuse: a summary is derived
         * @description Refuse: a summary is derived.
         */
        patch: operations["summaries_edit"];
        trace?: never;
    };
    "/v1/summaries/{summary_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read its last refreshes, the newest first: when and why, what came and went, what it cost
         * @description Read its last refreshes, the newest first: when and why, what came and went, what it cost.
         *
         *     Nothing of a forgotten memory is in it: neither its id nor a statement that rested on it.
         */
        get: operations["summaries_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summaries/{summary_id}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the source rows of a summary, oldest first, and what became of what it rests on
         * @description Read the source rows of a summary, oldest first, and what became of what it rests on.
         */
        get: operations["summaries_sources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summaries/{summary_id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make one summary current now
         * @description Make one summary current now.
         *
         *     ``result`` says how it ended; ``unchanged``, ``rejected`` and ``discarded`` leave what stood. 409 while somebody
         *     else refreshes it.
         */
        post: operations["summaries_refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say what refreshing the groups of a scope would do and take, and why
         * @description Say what refreshing the groups of a scope would do and take, and why. Calls no model and changes nothing.
         */
        get: operations["summaries_plan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Answer every statement that rests on a memory, in any summary that stands, the newest refresh first
         * @description Answer every statement that rests on a memory, in any summary that stands, the newest refresh first.
         */
        get: operations["summaries_resting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List clusters, the largest first, with the figures that tuning acts upon
         * @description List clusters, the largest first, with the figures that tuning acts upon.
         */
        get: operations["clusters_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusters/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Answer the figures for tuning: sparse ratio, churn of the last hour, tokens per summary
         * @description Answer the figures for tuning: sparse ratio, churn of the last hour, tokens per summary.
         */
        get: operations["clusters_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summaries/{summary_id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a summary as wrong or good
         * @description Mark a summary as wrong or good. All it says is withdrawn where it is wrong, and made anew without it.
         */
        post: operations["feedback_give"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summaries/{summary_id}/statements/{number}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a statement as wrong or good
         * @description Mark a statement as wrong or good. A wrong one leaves every summary at once, and does not come back.
         */
        post: operations["feedback_give_on_statement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List feedback, newest first
         * @description List feedback, newest first.
         */
        get: operations["feedback_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feedback/{feedback_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one person's feedback
         * @description Read one person's feedback.
         */
        get: operations["feedback_read"];
        put?: never;
        post?: never;
        /**
         * Take feedback back, as if it had never been given: what was marked may be said again
         * @description Take feedback back, as if it had never been given: what was marked may be said again.
         */
        delete: operations["feedback_take_back"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Answer what the models took, by month and policy
         * @description Answer what the models took, by month and policy.
         */
        get: operations["costs_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Answer what waits, runs, is tried again or failed, and why: failed ones first
         * @description Answer what waits, runs, is tried again or failed, and why: failed ones first.
         */
        get: operations["jobs_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make every failed job due again
         * @description Make every failed job due again.
         */
        post: operations["jobs_retry_all"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{group_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make one failed job due again
         * @description Make one failed job due again.
         */
        post: operations["jobs_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summarize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Summarize texts that are not stored: each statement with the texts it rests on
         * @description Summarize texts that are not stored: each statement with the texts it rests on.
         *
         *     Texts are strings, or objects with `text`, `speaker` and `created_at`. What the checks do not find in the texts is
         *     dropped, and a draft that loses more than half of its statements is an error. The limits hold for `text`.
         */
        post: operations["drafting_summarize_texts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check each sentence of a summary against its sources
         * @description Check each sentence of a summary against its sources. No model is asked and nothing is stored.
         */
        post: operations["drafting_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/long-term-memory/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write memories
         * @description Write memories. An id that is there is overwritten; a text that stands already is not written twice.
         */
        post: operations["wire_long_term_memory_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/long-term-memory/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find memories by meaning, by words or by both
         * @description Find memories by meaning, by words or by both; without a text, list those the filters let through.
         */
        post: operations["wire_long_term_memory_search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/long-term-memory/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forget what a policy picks among the oldest memories, or only say what it would pick (the default)
         * @description Forget what a policy picks among the oldest memories, or only say what it would pick (the default).
         */
        post: operations["wire_long_term_memory_forget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/long-term-memory/compact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge memories with the same text and the same labels
         * @description Merge memories with the same text and the same labels; their ids stay good.
         */
        post: operations["wire_long_term_memory_compact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/long-term-memory/{memory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one memory by its id, or by an id it was written under as well
         * @description Read one memory by its id, or by an id it was written under as well.
         */
        get: operations["wire_long_term_memory_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Replace what the body names
         * @description Replace what the body names; the old text is forgotten at once.
         */
        patch: operations["wire_long_term_memory_edit"];
        trace?: never;
    };
    "/v1/long-term-memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Forget memories and all that rests on them
         * @description Forget memories and all that rests on them.
         */
        delete: operations["wire_long_term_memory_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer summary and messages of the session, then the memories found for the question, then the question
         * @description Answer summary and messages of the session, then the memories found for the question, then the question.
         */
        post: operations["wire_memory_prompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summary-views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the views, oldest first
         * @description List the views, oldest first.
         */
        get: operations["wire_summary_views_list"];
        put?: never;
        /**
         * Declare a view
         * @description Declare a view. Every memory it takes is in its partition at once; a continuous one is run for the first time.
         */
        post: operations["wire_summary_views_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summary-views/{view_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one view
         * @description Read one view.
         */
        get: operations["wire_summary_views_read"];
        put?: never;
        post?: never;
        /**
         * Take a view away with its partitions, their results and its running tasks
         * @description Take a view away with its partitions, their results and its running tasks; an unknown id is no error.
         */
        delete: operations["wire_summary_views_delete"];
        options?: never;
        head?: never;
        /**
         * Change fields of a view
         * @description Change fields of a view. Memories move to where they belong now; a new prompt or model makes results stale.
         */
        patch: operations["wire_summary_views_update"];
        trace?: never;
    };
    "/v1/summary-views/{view_id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Answer which groups a run would make anew, why, and what it would take
         * @description Answer which groups a run would make anew, why, and what it would take. Calls no model.
         */
        get: operations["wire_summary_views_plan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summary-views/{view_id}/partitions/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make one group's result current now, and answer it
         * @description Make one group's result current now, and answer it; nothing changed, nothing is called.
         */
        post: operations["wire_summary_views_run_partition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summary-views/{view_id}/partitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the results that stand, of all groups or of those with these values
         * @description List the results that stand, of all groups or of those with these values.
         */
        get: operations["wire_summary_views_partitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summary-views/{view_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make every stale group current, in the background: poll /v1/tasks/{task_id}
         * @description Make every stale group current, in the background: poll /v1/tasks/{task_id}.
         *
         *     Requests that come meanwhile follow the same work and end with it. 409 for a task_id that is in use.
         */
        post: operations["wire_summary_views_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Answer where a task is
         * @description Answer where a task is. One whose worker gave no sign of life has failed.
         */
        get: operations["wire_tasks_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the summaries of a period, newest first
         * @description List the summaries of a period, newest first; the header X-Next-Cursor says where the next page begins.
         */
        get: operations["rollups_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memory/summarize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * When each policy's pass ran last and is due next, and how the archive is set
         * @description When each policy's pass ran last and is due next, and how the archive is set.
         */
        get: operations["schedules_read"];
        put?: never;
        /**
         * Summarize a period of a user's notes now
         * @description Summarize a period of a user's notes now; without a body, make one pass of the archive now, due or not.
         *
         *     A pass over all users moves the next run. What takes longer than a few seconds is answered with 202 and a task; a
         *     request for the same work follows the one under way. 409 while somebody else makes the pass.
         */
        post: operations["schedules_summarize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations by name, and in full: a name that several share is a 409 for the routes that read one
         * @description List conversations by name, and in full: a name that several share is a 409 for the routes that read one.
         */
        get: operations["conversations_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{session_id}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write a turn: check, summarize within the deadline where it is due, and write all of it in one transaction
         * @description Write a turn: check, summarize within the deadline where it is due, and write all of it in one transaction.
         *
         *     Send ids with the messages and the call may be repeated; the later version of a message counts. 409 for an id that
         *     is there with other content, 410 where no message is sent but those that a person has forgotten; beside others these
         *     are left out and named.
         */
        post: operations["conversations_turn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{session_id}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the summary and the messages it does not speak for, within a budget of tokens
         * @description Read the summary and the messages it does not speak for, within a budget of tokens.
         */
        get: operations["conversations_context"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{session_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the original messages, covered by the summary or not: the latest page, or the one before before
         * @description Read the original messages, covered by the summary or not: the latest page, or the one before ``before``.
         */
        get: operations["conversations_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Forget a conversation: every message, the summary and the title
         * @description Forget a conversation: every message, the summary and the title. Null where it had no messages.
         */
        delete: operations["conversations_forget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/working-memory/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions, the latest written first
         * @description List sessions, the latest written first.
         */
        get: operations["wire_working_memory_sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/working-memory/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a session
         * @description Read a session; with a window, its newest messages that fit.
         */
        get: operations["wire_working_memory_read"];
        /**
         * Make a session what the body says
         * @description Make a session what the body says; messages that its summary covers stay covered.
         *
         *     A message is recognized by its id, else by role and content in their order. With ``If-Match`` and the ``ETag`` of a
         *     session that was read: 412, and nothing is written, when the session is another by now; ``*`` is any that exists.
         */
        put: operations["wire_working_memory_write"];
        post?: never;
        /**
         * End a session with its summary and title
         * @description End a session with its summary and title; its long-term memories stay, and its messages may come again.
         */
        delete: operations["wire_working_memory_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Answer while the process is up
         * @description Answer while the process is up.
         */
        get: operations["health_alive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Answer while requests can be served, and what is wrong: database, migrations, keys, worker, disk
         * @description Answer while requests can be served, and what is wrong: database, migrations, keys, worker, disk.
         */
        get: operations["health_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Answer while requests can be served: the database answers
         * @description Answer while requests can be served: the database answers.
         */
        get: operations["wire_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Ack
         * @description Done.
         */
        Ack: {
            /** @default ok */
            status: string;
        };
        /**
         * Action
         * @description What a refresh would do.
         * @enum {string}
         */
        Action: "make" | "nothing" | "drop";
        /**
         * AddressBody
         * @description Which conversation, in full: a request that sends all of this means no other. Empty is none.
         */
        AddressBody: {
            session_id: string;
            user_id: string;
            namespace: string;
            project_id: string;
            environment: string;
        };
        /**
         * AnsweredMessage
         * @description A message as it is answered.
         */
        AnsweredMessage: {
            role: string;
            content: string;
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            persisted_at: string;
            discrete_memory_extracted: string;
            /** @description of the memory that the message is; statements name it as their source */
            memory_id: string;
        };
        /**
         * ArchiveSettingsBody
         * @description The settings of the archive as they are.
         */
        ArchiveSettingsBody: {
            enabled: boolean;
            /** @enum {string} */
            schedule: "daily" | "weekly" | "next_run";
            interval_days: number;
            keep_original_days: number;
            min_age_days: number;
            max_memories_per_batch: number;
            /** @enum {string} */
            originals: "ttl" | "delete" | "keep";
            /** @enum {string} */
            group_by: "user" | "agent" | "run";
            marker: string;
            after_memories: number;
            /** @description precis's own store and the pools of this tenant */
            stores: string[];
        };
        /**
         * Begun
         * @description Work that takes longer than this request.
         */
        Begun: {
            /** @description ask for it at GET /v1/tasks/{task_id} */
            task_id: string;
            status: components["schemas"]["Status"];
            done: number;
            total: number;
            /** @description what is counted */
            what: string | null;
        };
        /**
         * Carried
         * @description What an import of a user did.
         */
        Carried: {
            user_id: string;
            memories: number;
            summaries: number;
            receipts: number;
            forgotten: number;
        };
        /**
         * CheckInput
         * @description A summary and what it claims to rest on.
         */
        CheckInput: {
            summary: string;
            sources: (string | {
                text: string;
                speaker?: string | null;
                created_at?: null;
            })[] | {
                text: string;
                speaker?: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
        };
        /**
         * CheckedBody
         * @description A summary after the checks.
         */
        CheckedBody: {
            /** @description the summary as a whole, 0 to 1 */
            score: number;
            statements: components["schemas"]["CheckedStatementBody"][];
        };
        /**
         * CheckedStatementBody
         * @description What the checks found about one sentence of the summary.
         */
        CheckedStatementBody: {
            text: string;
            /** @description 0 to 1; below 0.3 a statement of a draft is dropped */
            score: number;
            /** @description what is wrong; empty where nothing is */
            reasons: string[];
        };
        /**
         * ClusterBody
         * @description A cluster and the figures its tuning goes by.
         */
        ClusterBody: {
            group_id: string;
            user_id: string;
            project_id: string;
            environment: string;
            extracted_type: string;
            /** @description the subject; null where no member names one */
            extracted_key: string | null;
            /** @description what its summary is about, in its members' words; null without a summary */
            title: string | null;
            /** @description memories in it */
            size: number;
            /** @description too few memories for a summary */
            sparse: boolean;
            /** @description refreshes in the last hour */
            churn: number;
            /** @description when the summary that stands was made */
            last_refresh: string | null;
            summary_id: string | null;
            /** @description its memories changed since */
            stale: boolean;
        };
        /**
         * ClusterPage
         * @description Some clusters, the largest first.
         */
        ClusterPage: {
            clusters: components["schemas"]["ClusterBody"][];
            next_cursor: string | null;
        };
        /**
         * ClusterStats
         * @description The figures for tuning: sparse ratio, churn and tokens per summary.
         */
        ClusterStats: {
            clusters: number;
            sparse: number;
            sparse_ratio: number;
            members: number;
            summaries: number;
            stale: number;
            failed: number;
            refreshes_last_hour: {
                [key: string]: number;
            };
            churn: number;
            tokens_per_summary: number;
        };
        /**
         * Confirmed
         * @description The receipt of a request in words: of what it forgot whole, or of the first memory that lost a part.
         */
        Confirmed: {
            id: string;
            /** Format: date-time */
            at: string;
            forgotten: string[];
            /** @default [] */
            not_found: string[];
            /** @default [] */
            summaries: components["schemas"]["TouchedSummary"][];
            /** @default 0 */
            statements_removed: number;
            /** @default 0 */
            segments_removed: number;
            /** @default [] */
            refreshes_queued: string[];
            /** @default false */
            key_destroyed: boolean;
            /** @default [] */
            external: components["schemas"]["External"][];
            number: number | null;
            previous: string | null;
            signature: string | null;
            /** @default [] */
            also: string[];
            /** @default [] */
            edited: string[];
            /** @default [] */
            changed: string[];
            /** @default 0 */
            gone: number;
            /** @default [] */
            doubtful: string[];
        };
        /**
         * ContextAnswer
         * @description A context that fits its budget.
         */
        ContextAnswer: {
            text: string;
            tokens: number;
            token_budget: number;
            lines: components["schemas"]["LineBody"][];
            /** @description found and not there, by part: no room, or nothing called for it */
            left_out: {
                [key: string]: number;
            };
            /** @description lines left out because a line says the same, or speaks for them */
            already_said: number;
            /** @description nothing that was recalled is surely relevant: lines are only the closest, and the text says so */
            unsure: boolean;
            /** @description with as_of: what is not in it for that */
            unknown: components["schemas"]["UnknownBody"] | null;
        };
        /**
         * ContextQuestion
         * @description What the context is for, and where from.
         */
        ContextQuestion: {
            user_id?: string | null;
            project_id?: string | null;
            environment?: string | null;
            extracted_type?: string | null;
            namespace?: string[] | string | null;
            session_id?: string | null;
            agent_id?: string | null;
            run_id?: string | null;
            memory_type?: components["schemas"]["MemoryType"] | null;
            min_trust?: components["schemas"]["SourceClass"] | null;
            as_of?: string | null;
            query: string;
            /** @default 1000 */
            token_budget?: number;
            /**
             * @default {
             *       "insights": 0.15,
             *       "summaries": 1,
             *       "memories": 1,
             *       "tiers": {}
             *     }
             */
            quotas?: components["schemas"]["QuotasBody"];
            /** @description chance that a row is evidence for the question, 0 to 1; what is below is left out; null is a low bound that keeps what may matter, 0 is none */
            min_relevance?: number | null;
        };
        /**
         * ConversationContext
         * @description What a model is to be given.
         */
        ConversationContext: {
            conversation_id: string;
            session_id: string;
            user_id: string;
            version: number;
            title: string | null;
            summary_id: string | null;
            summary: string;
            statements: components["schemas"]["StatementBody"][];
            /** @description oldest first */
            messages: components["schemas"]["MessageBody"][];
            /** @description of summary and messages */
            tokens: number;
            /** @description messages of the conversation */
            total: number;
            /** @description of them, those the summary speaks for */
            covered: number;
            /** @description of those, the ones no statement rests on */
            set_aside: number;
            /** @description what became of what the summary has read */
            counts: components["schemas"]["CountsBody"];
            /** @description messages that are in neither summary nor list */
            messages_left: number;
            /** @description statements that did not fit */
            statements_left: number;
            /** @description a summary is overdue, or messages had to be left out */
            degraded: boolean;
            /** @description a source of the summary changed since; what it says rests on living ones */
            stale: boolean;
        };
        /**
         * ConversationList
         * @description Conversations, the latest written first.
         */
        ConversationList: {
            /** @description their names; several may share one */
            conversations: string[];
            /** @description the same in full, in the same order */
            addresses: components["schemas"]["AddressBody"][];
            total: number;
        };
        /**
         * CostAnswer
         * @description Spend by month and policy, newest first.
         */
        CostAnswer: {
            costs: components["schemas"]["CostBody"][];
            /** @description US dollars; null is no ceiling */
            monthly_ceiling: number | null;
        };
        /**
         * CostBody
         * @description What the models took for one policy of the tenant in one month (UTC).
         */
        CostBody: {
            tenant_id: string;
            policy: string;
            /** Format: date */
            month: string;
            /** @description attempts: failed ones and retries count */
            calls: number;
            /** @description calls that brought no usable answer, lost ones included */
            failed: number;
            /** @description calls whose process died; they count with all they may have taken */
            lost: number;
            tokens_in: number;
            tokens_out: number;
            /** @description of tokens_in, what the provider had in its cache */
            tokens_cached: number;
            /** @description US dollars; a call under way counts with what it may cost at most */
            cost: number;
        };
        /**
         * CountsBody
         * @description What became of the sources of a summary: represented, set aside and left out add up to the total.
         */
        CountsBody: {
            /** @description sources selected */
            total: number;
            /** @description of those, in the input of the summary */
            read: number;
            /** @description in the lineage of a served statement */
            represented: number;
            /** @description in no lineage, by the reason a check found: small_talk, question, repetition or overruled */
            set_aside: {
                [key: string]: number;
            };
            /** @description in no lineage and without a reason, or not read; their originals stay */
            left_out: number;
            /** @description read in part; counted in one of the others as well */
            capped: number;
        };
        /**
         * DateFilter
         * @description Conditions on a time.
         */
        DateFilter: {
            eq?: string | null;
            ne?: string | null;
            gt?: string | null;
            gte?: string | null;
            lt?: string | null;
            lte?: string | null;
            between?: string[] | null;
            not_eq?: string | null;
        } | {
            eq: unknown;
        } | {
            ne: unknown;
        } | {
            gt: unknown;
        } | {
            gte: unknown;
        } | {
            lt: unknown;
        } | {
            lte: unknown;
        } | {
            between: unknown;
        } | {
            not_eq: unknown;
        };
        /**
         * Doubtful
         * @description A memory that may be meant, and so is not replaced: its id says that it is.
         */
        Doubtful: {
            id: string;
            text: string | null;
        };
        /**
         * EditAnswer
         * @description The memory as it is now, and what left with its old text.
         */
        EditAnswer: {
            memory: components["schemas"]["MemoryBody"];
            /** @description ids and counts of what left with the old text; since nobody asked to forget, it is neither signed nor kept: number, previous and signature are null, and /v1/receipts does not have it */
            receipt: components["schemas"]["Receipt"];
        };
        /**
         * Estimate
         * @description Calls and tokens of a plan, and US dollars; offline the calls are drafts that cost nothing.
         */
        Estimate: {
            /** @default 0 */
            calls: number;
            /** @default 0 */
            tokens_in: number;
            /** @default 0 */
            tokens_out: number;
            /** @default 0 */
            cost: number;
        };
        /**
         * External
         * @description A place precis cannot or did not yet reach.
         */
        External: {
            where: string;
            /** @enum {string} */
            state: "pending" | "confirmed" | "out of reach";
        };
        /**
         * FactsPlan
         * @description What reading the waiting messages would take at most.
         */
        FactsPlan: {
            /** @default 0 */
            conversations: number;
            /** @default 0 */
            messages: number;
            /** @default 0 */
            calls: number;
            /** @default 0 */
            tokens_in: number;
        };
        /**
         * FeedbackAnswer
         * @description Feedback, and what came of it.
         */
        FeedbackAnswer: {
            feedback: components["schemas"]["FeedbackBody"];
            /** @description statements withdrawn, in every summary that said it */
            withdrawn: number;
            /** @description the summaries that said it */
            summary_ids: string[];
            /** @description those made anew before this answer; a worker makes the others */
            outcomes: components["schemas"]["Outcome"][];
        };
        /**
         * FeedbackBody
         * @description What a person said of a summary, or of a statement of it.
         */
        FeedbackBody: {
            id: string;
            summary_id: string;
            policy: string;
            user_id: string;
            /** @enum {string} */
            verdict: "wrong" | "good";
            /** @description of the summary as a whole */
            whole: boolean;
            note: string | null;
            statements: components["schemas"]["MarkedBody"][];
            /** Format: date-time */
            created_at: string;
        };
        /**
         * FeedbackPage
         * @description Some feedback, newest first.
         */
        FeedbackPage: {
            feedback: components["schemas"]["FeedbackBody"][];
            next_cursor: string | null;
        };
        /**
         * ForgetRequest
         * @description What to forget: memories by their ids, what a request in words means, or what a preview showed.
         */
        ForgetRequest: {
            ids?: string[] | null;
            /** @description in words: "everything about Frank"; needs user_id */
            what?: string | null;
            /** @description confirms what the preview of that id showed */
            preview_id?: string | null;
            /**
             * @description with what: forget what is surely meant without a preview
             * @default false
             */
            confirm?: boolean;
            /**
             * @description forget what is in doubt as well
             * @default false
             */
            include_doubtful?: boolean;
            /**
             * @description with what: so many are listed
             * @default 30
             */
            most_doubtful?: number;
            /**
             * @description with preview_id: ids of what it showed in doubt that go as well
             * @default []
             */
            also?: string[];
            /**
             * @description with preview_id: ids of what it showed that stay
             * @default []
             */
            keep?: string[];
            user_id?: string | null;
            project_id?: string | null;
            environment?: string | null;
            namespace?: string | null;
            session_id?: string | null;
            agent_id?: string | null;
            run_id?: string | null;
            memory_type?: components["schemas"]["MemoryType"] | null;
            extracted_type?: string | null;
            /** @description written then or later */
            since?: string | null;
            /** @description written before then */
            until?: string | null;
        } & ({
            /** @enum {unknown} */
            what?: null;
            /** @enum {unknown} */
            preview_id?: null;
            /** @enum {unknown} */
            confirm?: false;
            /** @enum {unknown} */
            include_doubtful?: false;
            /** @enum {unknown} */
            most_doubtful?: 30;
            /** @enum {unknown} */
            also?: never[];
            /** @enum {unknown} */
            keep?: never[];
            /** @enum {unknown} */
            user_id?: null;
            /** @enum {unknown} */
            project_id?: null;
            /** @enum {unknown} */
            environment?: null;
            /** @enum {unknown} */
            namespace?: null;
            /** @enum {unknown} */
            session_id?: null;
            /** @enum {unknown} */
            agent_id?: null;
            /** @enum {unknown} */
            run_id?: null;
            /** @enum {unknown} */
            memory_type?: null;
            /** @enum {unknown} */
            extracted_type?: null;
            /** @enum {unknown} */
            since?: null;
            /** @enum {unknown} */
            until?: null;
            ids: unknown;
        } | {
            /** @enum {unknown} */
            ids?: null;
            /** @enum {unknown} */
            preview_id?: null;
            /** @enum {unknown} */
            also?: never[];
            /** @enum {unknown} */
            keep?: never[];
            what: unknown;
            user_id: unknown;
        } | {
            /** @enum {unknown} */
            ids?: null;
            /** @enum {unknown} */
            what?: null;
            /** @enum {unknown} */
            confirm?: false;
            /** @enum {unknown} */
            most_doubtful?: 30;
            /** @enum {unknown} */
            project_id?: null;
            /** @enum {unknown} */
            environment?: null;
            /** @enum {unknown} */
            namespace?: null;
            /** @enum {unknown} */
            session_id?: null;
            /** @enum {unknown} */
            agent_id?: null;
            /** @enum {unknown} */
            run_id?: null;
            /** @enum {unknown} */
            memory_type?: null;
            /** @enum {unknown} */
            extracted_type?: null;
            /** @enum {unknown} */
            since?: null;
            /** @enum {unknown} */
            until?: null;
            preview_id: unknown;
        });
        /**
         * FoundRecord
         * @description A record as it is found.
         */
        FoundRecord: {
            id: string;
            text: string;
            session_id: string | null;
            user_id: string | null;
            namespace: string | null;
            /** Format: date-time */
            last_accessed: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            pinned: boolean;
            access_count: number;
            topics: string[];
            entities: string[];
            memory_hash: string;
            discrete_memory_extracted: string;
            memory_type: components["schemas"]["MemoryType"];
            /** Format: date-time */
            persisted_at: string;
            extracted_from: string[];
            event_date: string | null;
            extraction_strategy: string;
            extraction_strategy_config: {
                [key: string]: unknown;
            };
            metadata: {
                [key: string]: unknown;
            };
            /** @description made by precis of the memories in source_ids */
            is_summary: boolean;
            source_ids: string[];
            /** @description cosine distance, 0 to 2; of the other modes 1 less the score; 0 in a list */
            dist: number;
            /** @description 0 to 1; null in a list */
            score: number | null;
            score_type: ("semantic" | "keyword" | "hybrid") | null;
        };
        /**
         * GiveFeedback
         * @description What a person says of a summary.
         */
        GiveFeedback: {
            /** @enum {string} */
            verdict: "wrong" | "good";
            /** @description why, in the person's words */
            note?: string | null;
        };
        /**
         * GiveStatementFeedback
         * @description What a person says of a statement.
         */
        GiveStatementFeedback: {
            /** @enum {string} */
            verdict: "wrong" | "good";
            /** @description why, in the person's words */
            note?: string | null;
            /** @description what the statement says; 409 where it says something else */
            text?: string | null;
        };
        /**
         * Health
         * @description A sign of life.
         */
        Health: {
            /** @description milliseconds since 1970 */
            now: number;
        };
        /**
         * HeldBody
         * @description How much is held of a user.
         */
        HeldBody: {
            user_id: string;
            /** @description raw ones, those whose text has expired among them */
            memories: number;
            expired: number;
            summaries: number;
            /** @description raw memories by memory_type */
            by_type: {
                [key: string]: number;
            };
            /** @description raw memories made within 7 days (week), 30 days (month), 365 days (year), or before (older) */
            by_age: {
                [key: string]: number;
            };
            /** @description raw memories made in each of the last twelve months (UTC), by its first day */
            by_month: {
                [key: string]: number;
            };
            /** @description summaries by what made them: cluster, day, week, month, ... */
            by_tier: {
                [key: string]: number;
            };
            /** @description when the first raw memory was made */
            oldest: string | null;
            newest: string | null;
        };
        /**
         * HistoryAnswer
         * @description The last refreshes of a summary, the newest first.
         */
        HistoryAnswer: {
            summary_id: string;
            refreshes: components["schemas"]["RefreshedBody"][];
        };
        /**
         * JobAnswer
         * @description A group with something to do: its refresh is the job.
         */
        JobAnswer: {
            group_id: string;
            policy: string;
            user_id: string;
            /**
             * @description scheduled: at due_at; retrying: again at due_at, after a failure; rejected: no draft passed the checks, again at due_at or, without one, when its sources change or somebody asks; failed: until somebody retries
             * @enum {string}
             */
            state: "waiting" | "running" | "scheduled" | "retrying" | "rejected" | "failed";
            members: number;
            /** @description the summary that stands meanwhile */
            summary_id: string | null;
            /** @description failures since the last good refresh */
            attempts: number;
            /** @description what went wrong last; never a text of a memory */
            error: string | null;
            due_at: string | null;
            failed_at: string | null;
            /** @description until when whoever refreshes it has the right to */
            lease_until: string | null;
        };
        /**
         * JobCounts
         * @description How many jobs of a tenant are in each state.
         */
        JobCounts: {
            waiting: number;
            running: number;
            scheduled: number;
            retrying: number;
            failed: number;
            /** @default 0 */
            rejected: number;
        };
        /**
         * JobsAnswer
         * @description The work list, failed jobs first.
         */
        JobsAnswer: {
            counts: components["schemas"]["JobCounts"];
            jobs: components["schemas"]["JobAnswer"][];
        };
        /**
         * Kind
         * @description What a node is in the tree.
         * @enum {string}
         */
        Kind: "segment" | "fold" | "prefix" | "frozen" | "part" | "root";
        /**
         * Leaving
         * @description What leaves a summary with the memories that go; more may leave that holds words of theirs alone.
         */
        Leaving: {
            summary_id: string;
            statements: components["schemas"]["Statement"][];
        };
        /**
         * LineBody
         * @description One line of the context and where it is from.
         */
        LineBody: {
            /** @description what it is cited by in the text */
            number: number;
            section: components["schemas"]["Section"];
            tier: components["schemas"]["Tier"];
            /** @description the memory, or the summary that says it */
            id: string;
            /** Format: date-time */
            date: string;
            /** @description its words in the context; what stands in square brackets was added */
            text: string;
            /** @description sentences of the memory that matter less are left out */
            excerpt: boolean;
            /** @description what its summary is about */
            subject: string | null;
            /** @description the memories it rests on */
            source_ids: string[];
            /** @description the least trusted of what it rests on */
            source_class: components["schemas"]["SourceClass"];
            score: number;
        };
        /**
         * Looked
         * @description One place that was searched.
         */
        Looked: {
            where: string;
            read: number;
            hits: number;
            /** @default [] */
            places: string[];
            /** @default  */
            note: string;
        };
        /**
         * MadeBody
         * @description What summarizing a period did.
         */
        MadeBody: {
            summaryId: string | null;
            /** @enum {string} */
            period: "daily" | "weekly" | "monthly";
            /** @description raw notes it rests on, through every level */
            notesConsolidated: number;
            /** @enum {string} */
            status: "complete" | "unchanged" | "empty";
            /** @description days whose notes stay because the compacted form would not be shorter */
            daysKept?: string[] | null;
            /** @description notes old enough to go that stay because no compacted day says all that they say */
            notesKept?: number | null;
        };
        /**
         * MarkedBody
         * @description A statement that feedback is about.
         */
        MarkedBody: {
            /** @description null once a memory it rested on was forgotten */
            text: string | null;
            source_ids: string[];
        };
        /**
         * Meant
         * @description A memory that goes, may go, or is near.
         */
        Meant: {
            id: string;
            text: string;
            /** Format: date-time */
            created_at: string;
            why: string;
            /** @enum {string} */
            how_sure: "sure" | "doubtful" | "near";
            keeps: string | null;
            /** @default false */
            shared: boolean;
            proposed: components["schemas"]["Proposal"] | null;
            /** @default false */
            lifted: boolean;
            event_date: string | null;
            /** @description of what is in doubt, how likely it is meant, 0 to 1 */
            chance: number | null;
        };
        /**
         * MemoryBody
         * @description A memory. The text of a summary is its statements; that of an expired row is null.
         */
        MemoryBody: {
            id: string;
            user_id: string;
            project_id: string;
            environment: string;
            extracted_type: string | null;
            /** @description the subject */
            extracted_key: string | null;
            /** @description 0 to 1 */
            importance: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            tier: components["schemas"]["Tier"];
            /** @description from whom it is: user, agent, imported, document, tool; of a summary the least trusted it has read */
            source_class: components["schemas"]["SourceClass"];
            /** @description which embedder read the text; null where none has */
            embedding_version: string | null;
            /** @description direct source rows of a summary, messages that a fact rests on; oldest first */
            parent_id: string[];
            /** @description of a summary of the archive: the originals it stands for, oldest first */
            summarized_memory_ids: string[] | null;
            /** @description of a summary of the archive: the day (UTC) of its newest original */
            summarized_until: string | null;
            namespace: string | null;
            session_id: string | null;
            agent_id: string | null;
            run_id: string | null;
            memory_type: components["schemas"]["MemoryType"];
            text: string | null;
            event_date: string | null;
            metadata: {
                [key: string]: unknown;
            };
            topics: string[];
            entities: string[];
            retention_state: components["schemas"]["RetentionState"];
            is_summary: boolean;
            pinned: boolean;
            /** @description ids of the memories that it replaces */
            supersedes: string[];
            /** @description ids of the memories that replace it: it is out of recall and context while one of them is there */
            superseded_by: string[];
            /** @description from when on the first of those holds */
            superseded_at: string | null;
            access_count: number;
            last_accessed: string | null;
        };
        /**
         * MemoryChange
         * @description What an edit may replace; a field that is not given stays.
         */
        MemoryChange: {
            text?: string | null;
            namespace?: string | null;
            session_id?: string | null;
            memory_type?: components["schemas"]["MemoryType"] | null;
            type?: string | null;
            key?: string | null;
            importance?: number | null;
            event_date?: string | null;
            pinned?: boolean | null;
            topics?: string[] | null;
            entities?: string[] | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description what it replaces: ids, or a few words that name a memory of the same user, project and environment; an empty list takes it back */
            supersedes?: string[] | string | null;
            source_class?: components["schemas"]["SourceClass"] | null;
            /** @description the user agrees that it replaces what supersedes names, though a tool or a document says it */
            confirm?: boolean | null;
        } | {
            text: unknown;
        } | {
            namespace: unknown;
        } | {
            session_id: unknown;
        } | {
            memory_type: unknown;
        } | {
            type: unknown;
        } | {
            key: unknown;
        } | {
            importance: unknown;
        } | {
            event_date: unknown;
        } | {
            pinned: unknown;
        } | {
            topics: unknown;
        } | {
            entities: unknown;
        } | {
            metadata: unknown;
        } | {
            supersedes: unknown;
        } | {
            source_class: unknown;
        };
        /**
         * MemoryInput
         * @description One memory as a caller writes it.
         */
        MemoryInput: {
            text: string;
            user_id: string;
            id?: string | null;
            /** @default  */
            project_id?: string;
            /** @default production */
            environment?: string;
            namespace?: string | null;
            session_id?: string | null;
            agent_id?: string | null;
            run_id?: string | null;
            /** @default semantic */
            memory_type?: components["schemas"]["MemoryType"];
            /** @description preference, fact, ...; extracted when not given */
            type?: string | null;
            /** @description the subject; extracted when not given */
            key?: string | null;
            importance?: number | null;
            created_at?: string | null;
            event_date?: string | null;
            /** @default false */
            pinned?: boolean;
            /** @default [] */
            topics?: string[];
            /** @default [] */
            entities?: string[];
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description write although this id was forgotten
             * @default false
             */
            revive?: boolean;
            /** @description what it replaces: ids, or a few words that name a memory of the same user, project and environment */
            supersedes?: string[] | string | null;
            /** @description from whom it is: user, agent, imported, document or tool, the most trusted first; when not given, by role or actor in metadata, else user */
            source_class?: components["schemas"]["SourceClass"] | null;
            /**
             * @description the user agrees that it replaces what supersedes names, though a tool or a document says it
             * @default false
             */
            confirm?: boolean;
        };
        /**
         * MemoryPage
         * @description Some memories, newest first.
         */
        MemoryPage: {
            memories: components["schemas"]["MemoryBody"][];
            next_cursor: string | null;
        };
        /**
         * MemoryRecord
         * @description A memory as it is answered.
         */
        MemoryRecord: {
            id: string;
            text: string;
            session_id: string | null;
            user_id: string | null;
            namespace: string | null;
            /** Format: date-time */
            last_accessed: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            pinned: boolean;
            access_count: number;
            topics: string[];
            entities: string[];
            memory_hash: string;
            discrete_memory_extracted: string;
            memory_type: components["schemas"]["MemoryType"];
            /** Format: date-time */
            persisted_at: string;
            extracted_from: string[];
            event_date: string | null;
            extraction_strategy: string;
            extraction_strategy_config: {
                [key: string]: unknown;
            };
            metadata: {
                [key: string]: unknown;
            };
            /** @description made by precis of the memories in source_ids */
            is_summary: boolean;
            source_ids: string[];
        };
        /**
         * MemoryStrategy
         * @description How long-term memories are made of the messages; ``config.custom_prompt`` is what ``custom`` asks the model.
         */
        MemoryStrategy: {
            /**
             * @default discrete
             * @enum {string}
             */
            strategy?: "discrete" | "summary" | "preferences" | "custom";
            config?: {
                [key: string]: unknown;
            };
        };
        /**
         * MemoryType
         * @description What kind of row it is, in the words of the wire format.
         * @enum {string}
         */
        MemoryType: "semantic" | "episodic" | "message";
        /**
         * MessageBody
         * @description A message.
         */
        MessageBody: {
            id: string;
            /** @description of the memory that it is; statements name it as their source */
            memory_id: string;
            /** @description its place in the conversation, from 1 */
            seq: number;
            /** Format: date-time */
            created_at: string;
            tokens: number;
            /** @description role, content, and what it was handed in with */
            message: {
                [key: string]: unknown;
            };
            /** @description only a part of the text fitted the budget */
            shortened: boolean;
        };
        /**
         * MessageInput
         * @description One message as a caller writes it.
         */
        MessageInput: {
            role: string;
            /**
             * @description words, or parts as chat APIs have them; null beside tool_calls
             * @default
             */
            content?: string | {
                [key: string]: unknown;
            }[] | null;
            /** @description unique within the conversation; made when not given */
            id?: string | null;
            /** @description who speaks, where the role does not say it */
            name?: string | null;
            created_at?: string | null;
            /**
             * @description calls it asks for, each with an id; they and their results are never parted
             * @default []
             */
            tool_calls?: {
                [key: string]: unknown;
            }[];
            /** @description the call that it is the result of */
            tool_call_id?: string | null;
            /**
             * @description ids of calls and approvals it asks for, besides tool_calls
             * @default []
             */
            opens?: string[];
            /**
             * @description ids of those it settles, besides tool_call_id
             * @default []
             */
            closes?: string[];
            /** @description the message as your library knows it */
            payload?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description false: no facts are looked for in it
             * @default true
             */
            is_read?: boolean;
            /**
             * @description false: no recall answers it; it stays in the conversation
             * @default true
             */
            is_recalled?: boolean;
        };
        /**
         * MessageList
         * @description Messages, oldest first.
         */
        MessageList: {
            messages: components["schemas"]["MessageBody"][];
        };
        /**
         * NewMemories
         * @description Memories to write: all of them or none.
         */
        NewMemories: {
            memories: components["schemas"]["MemoryInput"][];
            /**
             * @description inline: clusters that became due are summarized before the answer, or by a worker while more requests wait than are served at once; deferred: by a worker
             * @default inline
             * @enum {string}
             */
            summarize?: "inline" | "deferred";
        };
        /**
         * NewRecord
         * @description A memory as a client writes it.
         */
        NewRecord: {
            id: string;
            text: string;
            session_id?: string | null;
            user_id?: string | null;
            namespace?: string | null;
            last_accessed?: string | null;
            created_at?: string | null;
            /** @default false */
            pinned?: boolean;
            topics?: string[] | null;
            entities?: string[] | null;
            /**
             * @default t
             * @enum {string}
             */
            discrete_memory_extracted?: "t" | "f";
            /** @default semantic */
            memory_type?: components["schemas"]["MemoryType"];
            extracted_from?: string[] | null;
            event_date?: string | null;
            /** @default discrete */
            extraction_strategy?: string;
            extraction_strategy_config?: {
                [key: string]: unknown;
            };
            metadata?: {
                [key: string]: unknown;
            };
        };
        /**
         * NewRecords
         * @description Memories to write.
         */
        NewRecords: {
            memories: components["schemas"]["NewRecord"][];
            /** @default true */
            deduplicate?: boolean;
        };
        /**
         * NewTurn
         * @description One turn: what was said since the last one.
         */
        NewTurn: {
            user_id: string;
            namespace?: string | null;
            /** @default  */
            project_id?: string;
            /** @default production */
            environment?: string;
            messages: components["schemas"]["MessageInput"][];
            /** @description whether messages from this turn on take part in recall; as the settings have it */
            recall?: boolean | null;
            /** @description who finds facts in messages from this turn on; as the settings have it */
            extraction?: ("off" | "rules" | "model") | null;
            /** @description which facts; discrete where nobody says */
            strategy?: ("discrete" | "summary" | "preferences" | "custom") | null;
            /** @description what the strategy custom asks the model */
            prompt?: string | null;
        };
        /**
         * NewView
         * @description A view to declare. What precis does not know is ignored, as on all of the wire.
         */
        NewView: {
            name?: string | null;
            group_by?: ("user_id" | "namespace" | "session_id" | "memory_type")[] | null;
            filters?: {
                [key: string]: unknown;
            } | null;
            time_window_days?: number | null;
            /** @default false */
            continuous?: boolean;
            prompt?: string | null;
            model_name?: string | null;
            /** @enum {string} */
            source: "long_term" | "working_memory";
        };
        /**
         * Outcome
         * @description What one refresh did.
         */
        Outcome: {
            group_id: string;
            result: components["schemas"]["Result"];
            /** @default  */
            reason: string;
            summary_id: string | null;
            /**
             * @default {
             *       "calls": 0,
             *       "tokens_in": 0,
             *       "tokens_out": 0,
             *       "tokens_cached": 0,
             *       "cost": 0
             *     }
             */
            usage: components["schemas"]["Usage"];
            /** @default 0 */
            nodes_made: number;
        };
        /**
         * PartitionBody
         * @description What a view says of one group.
         */
        PartitionBody: {
            view_id: string;
            group: {
                [key: string]: string;
            };
            summary: string;
            /** @description memories in the group now */
            memory_count: number;
            empty: boolean;
            empty_reason: string | null;
            /** Format: date-time */
            computed_at: string;
            /** @description how many of them the summary has read */
            included_count: number;
            /** @description the memories it has read, oldest first */
            source_ids: string[];
            /** @description what made it */
            model: string | null;
            /** @description the group changed since; what it says still rests on living memories only */
            stale: boolean;
            /** @description the model gave no draft that passes the checks: again after 1, 10 and 60 minutes, and in a run */
            rejected: boolean;
            /** @description made offline because the model gave no draft; redone later */
            fallback: boolean;
            /** @description what became of the memories */
            counts: components["schemas"]["CountsBody"];
            /** @description for GET /v1/summaries/{summary_id}: its statements, each with sources */
            summary_id: string | null;
        };
        /**
         * PassDone
         * @description What a pass of the archive did.
         */
        PassDone: {
            /** @description summaries made */
            batches: number;
            /** @description memories that joined a batch */
            memories: number;
            /** @description originals whose text is gone */
            deletions: number;
            /** @description originals old enough to go that stay until what they say is safely kept */
            waiting: number;
            /** @description of those, the ones that no summary says in full */
            left_out: number;
            /** @description what became of the memories of the summaries that were made */
            counts: components["schemas"]["CountsBody"];
            /** @description batches without a summary; the next pass tries again */
            failed: number;
            /** @description null while the timetable is switched off */
            next_run: string | null;
            /** @description where pools are configured: what of it was done there, by their names */
            pools?: {
                [key: string]: components["schemas"]["PoolDone"];
            } | null;
        };
        /**
         * PlanAnswer
         * @description Plans of a scope, longest waiting first.
         */
        PlanAnswer: {
            plans: components["schemas"]["PlanBody"][];
            /** @description messages that wait to be read for facts, and what that would take at most */
            facts: components["schemas"]["FactsPlan"];
        };
        /**
         * PlanBody
         * @description What refreshing one group would do and take.
         */
        PlanBody: {
            group_id: string;
            policy: string;
            action: components["schemas"]["Action"];
            reason: string;
            /** @description the last draft of this was rejected; why it is not tried now is the reason */
            rejected: boolean;
            summary_id: string | null;
            steps: components["schemas"]["StepBody"][];
            estimate: components["schemas"]["Estimate"];
        };
        /**
         * PlannedBody
         * @description What a run would do to one stale group.
         */
        PlannedBody: {
            group: {
                [key: string]: string;
            };
            memory_count: number;
            action: components["schemas"]["Action"];
            reason: string;
            /** @description the last draft of it was rejected */
            rejected: boolean;
            estimate: components["schemas"]["Estimate"];
        };
        /**
         * PoolDone
         * @description What a pass of the archive did in a pool.
         */
        PoolDone: {
            batches: number;
            memories: number;
            deletions: number;
        };
        /**
         * Preview
         * @description What a request in words would forget. Only its id and those of its memories are kept, until ``expires_at``.
         */
        Preview: {
            preview_id: string;
            /** Format: date-time */
            expires_at: string;
            user_id: string;
            understood: components["schemas"]["Understood"];
            forget: components["schemas"]["Meant"][];
            doubtful: components["schemas"]["Meant"][];
            near: components["schemas"]["Meant"][];
            summaries: components["schemas"]["Leaving"][];
            /** @default 0 */
            more_doubtful: number;
        };
        /**
         * Prompt
         * @description The question, and where to look.
         */
        Prompt: {
            query: string;
            session?: components["schemas"]["PromptSession"] | null;
            long_term_search?: boolean | components["schemas"]["RecordSearch"] | null;
        };
        /**
         * PromptMessage
         * @description One message for a model.
         */
        PromptMessage: {
            /** @enum {string} */
            role: "system" | "user" | "assistant";
            content: components["schemas"]["PromptText"];
        };
        /**
         * PromptSession
         * @description Which conversation.
         */
        PromptSession: {
            session_id: string;
            namespace?: string | null;
            user_id?: string | null;
            model_name?: string | null;
            /** @description tokens; may be a string */
            context_window_max?: number | null;
        };
        /**
         * PromptText
         * @description What a message says.
         */
        PromptText: {
            /**
             * @default text
             * @constant
             */
            type: "text";
            text: string;
        };
        /**
         * Prompted
         * @description The messages, and the memories that are among them as rows.
         */
        Prompted: {
            messages: components["schemas"]["PromptMessage"][];
            long_term_memories: components["schemas"]["FoundRecord"][] | null;
        };
        /**
         * Proof
         * @description What a search found. It holds no word that was looked for.
         */
        Proof: {
            words: number;
            found: boolean;
            hits: number;
            looked: components["schemas"]["Looked"][];
        };
        /**
         * Proposal
         * @description What a model would do with a memory that a request to forget may mean.
         * @enum {string}
         */
        Proposal: "forget" | "keep";
        /**
         * PruningAnswer
         * @description What a policy picked; deleted unless it was a dry run.
         */
        PruningAnswer: {
            scanned: number;
            deleted: number;
            deleted_ids: string[];
            dry_run: boolean;
        };
        /**
         * PruningPolicy
         * @description What may be forgotten.
         */
        PruningPolicy: {
            max_age_days?: number | null;
            max_inactive_days?: number | null;
            budget?: number | null;
            memory_type_allowlist?: string[] | null;
            /** @default 12 */
            hard_age_multiplier?: number;
        };
        /**
         * PruningRequest
         * @description What to forget by a policy, and what not.
         */
        PruningRequest: {
            policy: components["schemas"]["PruningPolicy"];
            pinned_ids?: string[] | null;
        };
        /**
         * PublicKey
         * @description What verifies the receipts of a tenant.
         */
        PublicKey: {
            public_key: string;
            fingerprint: string;
        };
        /**
         * Question
         * @description What to recall, and where from.
         */
        Question: {
            user_id?: string | null;
            project_id?: string | null;
            environment?: string | null;
            extracted_type?: string | null;
            namespace?: string[] | string | null;
            session_id?: string | null;
            agent_id?: string | null;
            run_id?: string | null;
            memory_type?: components["schemas"]["MemoryType"] | null;
            min_trust?: components["schemas"]["SourceClass"] | null;
            as_of?: string | null;
            query: string;
            /** @default 10 */
            limit?: number;
            /**
             * @description chance that a row is evidence for the question, 0 to 1; what is below is left out
             * @default 0
             */
            min_relevance?: number;
            /**
             * @description answer the source rows of each summary with it
             * @default false
             */
            expand?: boolean;
            /**
             * @description show a summary and those of its sources that were found as one; a detail's source comes first
             * @default false
             */
            fold?: boolean;
            /** @description with (the default): raw rows and summaries; without: raw rows; only: summaries, and raw rows that none of their user has read */
            summaries?: ("with" | "only" | "without") | null;
            /** @description false means summaries: without */
            include_summaries?: boolean | null;
        };
        /**
         * QuotasBody
         * @description The largest shares of the budget; what one part does not use is left to the next.
         */
        QuotasBody: {
            /** @default 0.15 */
            insights?: number;
            /** @default 1 */
            summaries?: number;
            /** @default 1 */
            memories?: number;
            /**
             * @description of single tiers, such as month, in whichever part
             * @default {}
             */
            tiers?: {
                [key: string]: number;
            };
        };
        /**
         * Ready
         * @description Requests are served.
         */
        Ready: {
            /**
             * @default ok
             * @constant
             */
            status: "ok";
            /** @description what is wrong all the same, a line each: no worker, a disk nearly full */
            wrong: string[];
        };
        /**
         * RecallAnswer
         * @description The best rows, best first.
         */
        RecallAnswer: {
            results: components["schemas"]["RecalledBody"][];
            /** @description no row is surely relevant: the best has a relevance below 0.07, or there is none */
            unsure: boolean;
            /** @description with as_of: what is not among them for that */
            unknown: components["schemas"]["UnknownBody"] | null;
        };
        /**
         * RecalledBody
         * @description One row of an answer.
         */
        RecalledBody: {
            memory: components["schemas"]["MemoryBody"];
            /** @description the text with the days that its words mean on the day when it was written, in square brackets: last weekend [11–12 March 2023]; null where it names none */
            dated_text: string | null;
            score: number;
            parts: components["schemas"]["ScoreParts"];
            /** @description chance that it is evidence for the question, 0 to 1, the same in every answer */
            relevance: number;
            /** @description for a summary: its source rows */
            source_ids: string[];
            /** @description those rows, when expand was asked for */
            sources: components["schemas"]["MemoryBody"][] | null;
            /** @description rows found that are shown under this one, when fold was asked for */
            folded: components["schemas"]["RecalledBody"][];
        };
        /**
         * Receipt
         * @description What a forget did. Holds ids and counts, never a text.
         *
         *     This is the answer to who asked. What is kept is signed, has keyed hashes in place of ids, and is one of a chain.
         */
        Receipt: {
            id: string;
            /** Format: date-time */
            at: string;
            forgotten: string[];
            /** @default [] */
            not_found: string[];
            /** @default [] */
            summaries: components["schemas"]["TouchedSummary"][];
            /** @default 0 */
            statements_removed: number;
            /** @default 0 */
            segments_removed: number;
            /** @default [] */
            refreshes_queued: string[];
            /** @default false */
            key_destroyed: boolean;
            /** @default [] */
            external: components["schemas"]["External"][];
            number: number | null;
            previous: string | null;
            signature: string | null;
        };
        /**
         * ReceiptPage
         * @description Some receipts, the latest first, as they were signed.
         */
        ReceiptPage: {
            receipts: {
                [key: string]: unknown;
            }[];
            next_cursor: string | null;
            head: {
                [key: string]: unknown;
            };
        };
        /**
         * RecordChange
         * @description What an edit replaces; null and what is not known are ignored.
         */
        RecordChange: {
            text?: string | null;
            topics?: string[] | null;
            entities?: string[] | null;
            memory_type?: components["schemas"]["MemoryType"] | null;
            namespace?: string | null;
            user_id?: string | null;
            session_id?: string | null;
            event_date?: string | null;
            pinned?: boolean | null;
        };
        /**
         * RecordResults
         * @description A page of what was found.
         */
        RecordResults: {
            memories: components["schemas"]["FoundRecord"][];
            /** @description how many there are in all */
            total: number;
            next_offset: number | null;
        };
        /**
         * RecordSearch
         * @description What to look for; without a text, which memories to list.
         */
        RecordSearch: {
            session_id?: components["schemas"]["TagFilter"] | string | string[] | null;
            user_id?: components["schemas"]["TagFilter"] | string | string[] | null;
            namespace?: components["schemas"]["TagFilter"] | string | string[] | null;
            topics?: components["schemas"]["TagFilter"] | string | string[] | null;
            entities?: components["schemas"]["TagFilter"] | string | string[] | null;
            memory_type?: components["schemas"]["TagFilter"] | string | string[] | null;
            extraction_strategy?: components["schemas"]["TagFilter"] | string | string[] | null;
            created_at?: components["schemas"]["DateFilter"] | string | null;
            last_accessed?: components["schemas"]["DateFilter"] | string | null;
            event_date?: components["schemas"]["DateFilter"] | string | null;
            text?: string | null;
            /**
             * @default semantic
             * @enum {string}
             */
            search_mode?: "semantic" | "keyword" | "hybrid";
            /** @default 0.7 */
            hybrid_alpha?: number;
            distance_threshold?: number | null;
            /** @default 10 */
            limit?: number;
            /** @default 0 */
            offset?: number;
            recency_boost?: boolean | null;
            recency_semantic_weight?: number | null;
            recency_recency_weight?: number | null;
            recency_freshness_weight?: number | null;
            recency_novelty_weight?: number | null;
            recency_half_life_last_access_days?: number | null;
            recency_half_life_created_days?: number | null;
            /**
             * @description also answer the summaries that precis made
             * @default false
             */
            include_summaries?: boolean;
        };
        /**
         * RefreshRequest
         * @description How to refresh.
         */
        RefreshRequest: {
            /**
             * @description also what is current, was rejected, or was deleted by request
             * @default false
             */
            force?: boolean;
        };
        /**
         * RefreshedBody
         * @description One refresh of a summary.
         */
        RefreshedBody: {
            /** @description counts from 1 */
            number: number;
            /** Format: date-time */
            refreshed_at: string;
            reason: string;
            made_by: string;
            fallback: boolean;
            /** @description ids of memories that it read and the refresh before did not */
            came: string[];
            /** @description ids of memories that the refresh before read and this one did not */
            went: string[];
            /** @description statements that the summary before did not serve */
            added: components["schemas"]["StatementBody"][];
            /** @description statements that the summary before served and this one does not */
            dropped: components["schemas"]["StatementBody"][];
            /** @description what became of its sources */
            counts: components["schemas"]["CountsBody"];
            /** @description calls of a model */
            calls: number;
            tokens: number;
            /** @description US dollars */
            cost: number;
        };
        /**
         * RestingAnswer
         * @description By summary, the newest refresh first.
         */
        RestingAnswer: {
            summaries: components["schemas"]["RestingBody"][];
        };
        /**
         * RestingBody
         * @description What a summary says that rests on a memory.
         */
        RestingBody: {
            summary_id: string;
            policy: string;
            title: string | null;
            statements: components["schemas"]["StatementBody"][];
        };
        /**
         * Result
         * @description How a refresh ended.
         * @enum {string}
         */
        Result: "committed" | "unchanged" | "dropped" | "empty" | "rejected" | "discarded" | "failed" | "busy";
        /**
         * RetentionState
         * @description Live rows have a text; expired rows are stubs whose derived summaries stay; forgotten rows are gone.
         * @enum {string}
         */
        RetentionState: "live" | "expiring" | "expired";
        /**
         * RetryAnswer
         * @description The jobs that are due again, by group id.
         */
        RetryAnswer: {
            retried: string[];
        };
        /**
         * RollupBody
         * @description One summary of a period.
         */
        RollupBody: {
            summaryId: string;
            /** @enum {string} */
            period: "daily" | "weekly" | "monthly";
            /** Format: date */
            startDate: string;
            /** Format: date */
            endDate: string;
            keyInsights: string[];
            notesConsolidated: number;
            /** @description what became of the notes */
            counts: components["schemas"]["CountsBody"];
            /** @description only where nobody was asked for */
            userId?: string | null;
        };
        /**
         * RunPartition
         * @description Which group to run.
         */
        RunPartition: {
            group: {
                [key: string]: string;
            };
            /**
             * @description also when nothing changed
             * @default false
             */
            force?: boolean;
        };
        /**
         * RunView
         * @description How to run a view.
         */
        RunView: {
            task_id?: string | null;
            /**
             * @description also the groups in which nothing changed
             * @default false
             */
            force?: boolean;
        };
        /**
         * ScheduleAnswer
         * @description The timetables, by policy, and the settings of the archive.
         */
        ScheduleAnswer: {
            policies: {
                [key: string]: components["schemas"]["ScheduleBody"];
            };
            archive: components["schemas"]["ArchiveSettingsBody"];
        };
        /**
         * ScheduleBody
         * @description When a policy's pass ran last and is due next.
         */
        ScheduleBody: {
            last_run: string | null;
            next_run: string | null;
        };
        /**
         * ScoreParts
         * @description What a score is the sum of; a part is 0 where it does not apply.
         */
        ScoreParts: {
            /** @description words of the row, and in part those of its neighbors in the session */
            keyword: number;
            /** @description likeness in meaning, of the row and its neighbors */
            vector: number;
            /** @description words of the question that rows around it in its session hold with it */
            stretch: number;
            /** @description a turn of next to no words; 0 or less */
            shortness: number;
            /** @description the question names who said it */
            speaker: number;
            /** @description the question names somebody, and the row has the name or is said by them */
            named: number;
            /** @description the question names its date */
            date: number;
            /** @description a summary that answers the question rests on it */
            summary: number;
            /** @description newest of the rows found on its subject */
            newest: number;
            importance: number;
            recency: number;
            /** @description a raw row of the last days, or a summary of what lies long back */
            preference: number;
            /** @description it has the day, number or place that is asked for, or what a task is to keep to; less if it asks */
            telling: number;
        };
        /**
         * Section
         * @description The parts of a context, in their order.
         * @enum {string}
         */
        Section: "insights" | "summaries" | "memories";
        /**
         * SessionList
         * @description A page of names.
         */
        SessionList: {
            sessions: string[];
            total: number;
        };
        /**
         * SignedReceipt
         * @description One receipt, and the one that completes it once a pool has confirmed.
         */
        SignedReceipt: {
            receipt: {
                [key: string]: unknown;
            };
            completed_by: {
                [key: string]: unknown;
            } | null;
            public_key: string;
        };
        /**
         * SourceClass
         * @description From whom a memory is, the most trusted first.
         * @enum {string}
         */
        SourceClass: "user" | "agent" | "imported" | "document" | "tool";
        /**
         * SourceList
         * @description The source rows of a summary, and what became of all that it rests on.
         */
        SourceList: {
            memories: components["schemas"]["MemoryBody"][];
            /** @description of the summary, through every level */
            counts: components["schemas"]["CountsBody"];
        };
        /**
         * Statement
         * @description One sentence-sized claim of a summary.
         */
        Statement: {
            text: string;
            importance: number;
            source_ids: string[];
            superseded_by: number | null;
            /** @default user */
            source_class: components["schemas"]["SourceClass"];
        };
        /**
         * StatementBody
         * @description One claim of a summary and the memories it rests on.
         */
        StatementBody: {
            text: string;
            importance: number;
            source_ids: string[];
            /** @description the least trusted of its sources' */
            source_class: components["schemas"]["SourceClass"];
        };
        /**
         * Status
         * @description Where a task is; the last two are final.
         * @enum {string}
         */
        Status: "pending" | "running" | "success" | "failed";
        /**
         * StepBody
         * @description One node that a refresh would make.
         */
        StepBody: {
            kind: components["schemas"]["Kind"];
            sources: string[];
            reason: string;
        };
        /**
         * SummarizeInput
         * @description What is to be summarized, and how long the summary may be.
         */
        SummarizeInput: {
            texts: (string | {
                text: string;
                speaker?: string | null;
                created_at?: null;
            })[] | {
                text: string;
                speaker?: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description words between white space; without either limit 20 % of the input, at least 40 words */
            max_words?: number | null;
            /** @description tokens as the model counts them; given with max_words, both limits hold */
            max_tokens?: number | null;
            /** @description the instruction of a model in place of ours; without a model it has no effect */
            prompt?: string | null;
            /** @description a model of the endpoint that is configured, or extractive for none at all */
            model?: string | null;
        };
        /**
         * SummarizeRequest
         * @description What to summarize now: with ``period`` a user's day, week or month, without one a pass of the archive.
         */
        SummarizeRequest: {
            /** @description whose period; or whose memories alone the archive takes */
            userId?: string | null;
            period?: ("daily" | "weekly" | "monthly") | null;
            /**
             * @description of a period: make it anew although nothing changed
             * @default false
             */
            force?: boolean;
            /** @description of a period: any day of it; else the last that is over */
            day?: string | null;
            /** @description of the archive: precis, or a pool by its name in the settings; else all of them */
            store?: string | null;
            /** @description of the archive, for this pass; as the next four are */
            minAgeDays?: number | null;
            keepOriginalDays?: number | null;
            maxMemoriesPerBatch?: number | null;
            originals?: ("ttl" | "delete" | "keep") | null;
            groupBy?: ("user" | "agent" | "run") | null;
            /**
             * @description false: answer a task at once
             * @default true
             */
            wait?: boolean;
        };
        /**
         * SummarizedBody
         * @description A checked summary of texts that are not stored.
         */
        SummarizedBody: {
            /** @description the statements as one paragraph, within the limits */
            text: string;
            statements: components["schemas"]["SummarizedStatementBody"][];
            /** @description score of the checks, 0 to 1 */
            quality: number;
            made_by: string;
            /** @description texts read, of total; offline, texts that give orders to a model are not */
            included: number;
            total: number;
            /** @description what became of the texts */
            counts: components["schemas"]["CountsBody"];
        };
        /**
         * SummarizedStatementBody
         * @description One claim of a summary.
         */
        SummarizedStatementBody: {
            text: string;
            /** @description 0 to 1 */
            importance: number;
            /** @description places in the list of texts, from 0 */
            sources: number[];
        };
        /**
         * SummaryBody
         * @description A summary with its statements.
         */
        SummaryBody: {
            id: string;
            user_id: string;
            project_id: string;
            environment: string;
            extracted_type: string | null;
            /** @description the subject */
            extracted_key: string | null;
            /** @description 0 to 1 */
            importance: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            tier: components["schemas"]["Tier"];
            /** @description from whom it is: user, agent, imported, document, tool; of a summary the least trusted it has read */
            source_class: components["schemas"]["SourceClass"];
            /** @description which embedder read the text; null where none has */
            embedding_version: string | null;
            /** @description direct source rows of a summary, messages that a fact rests on; oldest first */
            parent_id: string[];
            /** @description of a summary of the archive: the originals it stands for, oldest first */
            summarized_memory_ids: string[] | null;
            /** @description of a summary of the archive: the day (UTC) of its newest original */
            summarized_until: string | null;
            policy: string;
            group_id: string;
            /** @description what it is about, in the words of its sources */
            title: string | null;
            text: string;
            /** @description the memories it rests on, through every level */
            leaf_source_ids: string[];
            statements: components["schemas"]["StatementBody"][];
            /** @description score of the checks, 0 to 1 */
            quality: number;
            made_by: string;
            /** @description made offline because the model could not be used; redone later */
            fallback: boolean;
            /** @description its sources changed since; what it says still rests on living sources */
            stale: boolean;
            /** @description no draft of its sources as they are passed the checks: tried again after 1, 10 and 60 minutes */
            rejected: boolean;
            /** @description what became of its sources */
            counts: components["schemas"]["CountsBody"];
            /** @description sources read, of total */
            included: number;
            total: number;
        };
        /**
         * SummaryPage
         * @description Some summaries, the newest refresh first.
         */
        SummaryPage: {
            summaries: components["schemas"]["SummaryBody"][];
            next_cursor: string | null;
        };
        /**
         * TagFilter
         * @description Conditions on a word, or on a list of words.
         */
        TagFilter: {
            eq?: string | null;
            ne?: string | null;
            any?: string[] | null;
            all?: string[] | null;
            startswith?: string | null;
            in_?: string[] | null;
            not_eq?: string | null;
            not_in?: string[] | null;
            none?: string[] | null;
        } | {
            eq: unknown;
        } | {
            ne: unknown;
        } | {
            any: unknown;
        } | {
            all: unknown;
        } | {
            startswith: unknown;
        } | {
            in_: unknown;
        } | {
            not_eq: unknown;
        } | {
            not_in: unknown;
        } | {
            none: unknown;
        };
        /**
         * TakenBack
         * @description What came of taking feedback back.
         */
        TakenBack: {
            id: string;
            /** @description summaries made anew before this answer */
            outcomes: components["schemas"]["Outcome"][];
        };
        /**
         * TaskBody
         * @description A request to run a view, or to summarize for longer than a request should take.
         */
        TaskBody: {
            id: string;
            type: string;
            status: components["schemas"]["Status"];
            /** @description null for work that runs no view */
            view_id: string | null;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            completed_at: string | null;
            error_message: string | null;
            /** @description the piece of work it follows; simultaneous requests share one */
            run_id: string;
            /** @description groups that were looked at; of other work what is done */
            done: number;
            /** @description groups there are to look at; of other work what is to do, as far as is known */
            total: number;
            /** @description what is counted, where it runs no view */
            what: string | null;
            /** @description what came of it, where it runs no view: ids and counts */
            result: {
                [key: string]: unknown;
            } | null;
            /** @description memories the view takes that lack a field it groups by */
            ungrouped_count: number | null;
        };
        /**
         * TextInput
         * @description One text: a string, or an object with who said it and when.
         */
        TextInput: {
            text: string;
            speaker?: string | null;
            created_at?: string | null;
        };
        /**
         * Tier
         * @description Which policy made the row; ``raw`` is what a caller wrote.
         * @enum {string}
         */
        Tier: "raw" | "cluster" | "day" | "week" | "month" | "archive" | "view" | "conversation";
        /**
         * TouchedSummary
         * @description A summary that said something resting on what was forgotten, or might have.
         */
        TouchedSummary: {
            id: string;
            /** @enum {string} */
            state: "redacted" | "deleted";
            statements_removed: number;
        };
        /**
         * TurnAnswer
         * @description What a turn did.
         */
        TurnAnswer: {
            conversation_id: string;
            version: number;
            messages: components["schemas"]["MessageBody"][];
            /** @description ids of messages that hold what a person has forgotten or edited away, messages.N without one: they were left out */
            forgotten: string[];
            /** @description the summary was extended, in the transaction that wrote the messages */
            summarized: boolean;
            summary_id: string | null;
            title: string | null;
            /** @description a summary was needed and not made in time: what stood stays, a worker makes it */
            degraded: boolean;
            reason: string;
        };
        /**
         * Understood
         * @description How the request was read.
         */
        Understood: {
            language: string;
            about: string[];
            /** @default [] */
            but: string[];
            /** @default [] */
            not_found: string[];
            first_day: string | null;
            last_day: string | null;
        };
        /**
         * UnknownBody
         * @description What an answer as of a moment cannot know.
         */
        UnknownBody: {
            /** Format: date-time */
            as_of: string;
            /** @description memories of the scope that were known then and whose text has expired since */
            expired: number;
            /** @description summaries of the scope that stood then and say something else now, unless what they said is kept */
            summaries: number;
        };
        /**
         * Up
         * @description A sign of life.
         */
        Up: {
            /**
             * @default ok
             * @constant
             */
            status: "ok";
        };
        /**
         * Usage
         * @description What a draft took. Zero for the offline summarizer.
         */
        Usage: {
            /** @default 0 */
            calls: number;
            /** @default 0 */
            tokens_in: number;
            /** @default 0 */
            tokens_out: number;
            /** @default 0 */
            tokens_cached: number;
            /** @default 0 */
            cost: number;
        };
        /**
         * UserPage
         * @description Some users, by their names.
         */
        UserPage: {
            users: components["schemas"]["HeldBody"][];
            next_cursor: string | null;
        };
        /**
         * ViewBody
         * @description A view.
         */
        ViewBody: {
            id: string;
            name: string | null;
            source: string;
            group_by: string[];
            filters: {
                [key: string]: unknown;
            };
            time_window_days: number | null;
            continuous: boolean;
            prompt: string | null;
            model_name: string | null;
        };
        /**
         * ViewChange
         * @description What an update replaces; what is not given stays, null takes a value away. The wire knows no such call.
         */
        ViewChange: {
            name?: string | null;
            group_by?: ("user_id" | "namespace" | "session_id" | "memory_type")[] | null;
            filters?: {
                [key: string]: unknown;
            } | null;
            time_window_days?: number | null;
            /** @default false */
            continuous?: boolean;
            prompt?: string | null;
            model_name?: string | null;
        };
        /**
         * ViewDeleted
         * @description It is so now.
         */
        ViewDeleted: {
            /**
             * @default ok
             * @constant
             */
            status: "ok";
        };
        /**
         * ViewPlanBody
         * @description What a run would do and take.
         */
        ViewPlanBody: {
            view_id: string;
            /** @description groups with a memory */
            partitions: number;
            /** @description groups a run would look at */
            stale: number;
            /** @description the first of those */
            planned: components["schemas"]["PlannedBody"][];
            /** @description calls, tokens and US dollars of those; offline calls cost nothing */
            estimate: components["schemas"]["Estimate"];
            /** @description memories the view takes that lack a field it groups by */
            ungrouped_count: number;
        };
        /**
         * WireMessage
         * @description One message as a client writes it.
         */
        WireMessage: {
            role: string;
            content: string;
            id?: string | null;
            created_at?: string | null;
            /**
             * @default f
             * @enum {string}
             */
            discrete_memory_extracted?: "t" | "f";
        };
        /**
         * WordSearch
         * @description What to look for.
         */
        WordSearch: {
            words: string[];
            /**
             * @description false: answer a task at once
             * @default true
             */
            wait?: boolean;
        };
        /**
         * WorkingMemory
         * @description A session as a client writes it.
         */
        WorkingMemory: {
            messages?: components["schemas"]["WireMessage"][];
            memories?: components["schemas"]["NewRecord"][];
            data?: {
                [key: string]: unknown;
            } | null;
            context?: string | null;
            user_id?: string | "" | null;
            namespace?: string | null;
            long_term_memory_strategy?: components["schemas"]["MemoryStrategy"];
            ttl_seconds?: number | null;
        };
        /**
         * WorkingMemoryAnswer
         * @description A session as it is answered.
         */
        WorkingMemoryAnswer: {
            session_id: string;
            messages: components["schemas"]["AnsweredMessage"][];
            memories: components["schemas"]["MemoryRecord"][];
            data: {
                [key: string]: unknown;
            } | null;
            /** @description the summary of the messages that are no longer in the list */
            context: string | null;
            user_id: string | null;
            namespace: string | null;
            /** @description of summary and messages, by a real tokenizer */
            tokens: number;
            long_term_memory_strategy: components["schemas"]["MemoryStrategy"];
            ttl_seconds: number | null;
            /** Format: date-time */
            last_accessed: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            context_percentage_total_used: number | null;
            context_percentage_until_summarization: number | null;
            title: string | null;
            summary_id: string | null;
            /** @description messages that the summary speaks for */
            covered_count: number;
            /** @description a summary is overdue, or messages did not fit the window */
            degraded: boolean;
        };
        /**
         * WriteAnswer
         * @description What a write did.
         */
        WriteAnswer: {
            memories: components["schemas"]["WrittenBody"][];
            /** @description summaries made or refreshed before this answer */
            summaries: string[];
            /** @description groups whose summary a worker makes next */
            waiting: string[];
        };
        /**
         * WrittenBody
         * @description What became of one memory of a write.
         */
        WrittenBody: {
            id: string;
            /** @description false when it was there already with the same content */
            created: boolean;
            /** @description the cluster it joined */
            group_id: string | null;
            /** @description ids of the memories that it replaces */
            supersedes: string[];
            /** @description ids of the memories that replace it */
            superseded_by: string[];
            /** @description memories that the words in supersedes may name; none of them was replaced: name it by its id */
            doubtful: components["schemas"]["Doubtful"][];
        };
        /**
         * Problem
         * @description What was wrong, with which value, and what to do; never a text of a memory.
         */
        Problem: {
            detail: string;
        };
        /**
         * Flaw
         * @description One thing that is wrong with a body or a query: where, and why.
         */
        Flaw: {
            type: string;
            loc: (string | number)[];
            msg: string;
        };
        /**
         * Invalid
         * @description The shape of a body or a query is wrong (a list), or what it says (a sentence and its field).
         */
        Invalid: {
            detail: string | components["schemas"]["Flaw"][];
            field?: string;
        };
    };
    responses: {
        /** @description Status 400. */
        Error400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 401. */
        Error401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 402. */
        Error402: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 403. */
        Error403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 404. */
        Error404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 408. */
        Error408: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 409. */
        Error409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 410. */
        Error410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 413. */
        Error413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 415. */
        Error415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 421. */
        Error421: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 422. */
        Error422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Invalid"];
            };
        };
        /** @description Status 429. */
        Error429: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 500. */
        Error500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 503. */
        Error503: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 405. */
        Error405: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Status 412. */
        Error412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Ack = components['schemas']['Ack'];
export type Action = components['schemas']['Action'];
export type AddressBody = components['schemas']['AddressBody'];
export type AnsweredMessage = components['schemas']['AnsweredMessage'];
export type ArchiveSettingsBody = components['schemas']['ArchiveSettingsBody'];
export type Begun = components['schemas']['Begun'];
export type Carried = components['schemas']['Carried'];
export type CheckInput = components['schemas']['CheckInput'];
export type CheckedBody = components['schemas']['CheckedBody'];
export type CheckedStatementBody = components['schemas']['CheckedStatementBody'];
export type ClusterBody = components['schemas']['ClusterBody'];
export type ClusterPage = components['schemas']['ClusterPage'];
export type ClusterStats = components['schemas']['ClusterStats'];
export type Confirmed = components['schemas']['Confirmed'];
export type ContextAnswer = components['schemas']['ContextAnswer'];
export type ContextQuestion = components['schemas']['ContextQuestion'];
export type ConversationContext = components['schemas']['ConversationContext'];
export type ConversationList = components['schemas']['ConversationList'];
export type CostAnswer = components['schemas']['CostAnswer'];
export type CostBody = components['schemas']['CostBody'];
export type CountsBody = components['schemas']['CountsBody'];
export type DateFilter = components['schemas']['DateFilter'];
export type Doubtful = components['schemas']['Doubtful'];
export type EditAnswer = components['schemas']['EditAnswer'];
export type Estimate = components['schemas']['Estimate'];
export type External = components['schemas']['External'];
export type FactsPlan = components['schemas']['FactsPlan'];
export type FeedbackAnswer = components['schemas']['FeedbackAnswer'];
export type FeedbackBody = components['schemas']['FeedbackBody'];
export type FeedbackPage = components['schemas']['FeedbackPage'];
export type ForgetRequest = components['schemas']['ForgetRequest'];
export type FoundRecord = components['schemas']['FoundRecord'];
export type GiveFeedback = components['schemas']['GiveFeedback'];
export type GiveStatementFeedback = components['schemas']['GiveStatementFeedback'];
export type Health = components['schemas']['Health'];
export type HeldBody = components['schemas']['HeldBody'];
export type HistoryAnswer = components['schemas']['HistoryAnswer'];
export type JobAnswer = components['schemas']['JobAnswer'];
export type JobCounts = components['schemas']['JobCounts'];
export type JobsAnswer = components['schemas']['JobsAnswer'];
export type Kind = components['schemas']['Kind'];
export type Leaving = components['schemas']['Leaving'];
export type LineBody = components['schemas']['LineBody'];
export type Looked = components['schemas']['Looked'];
export type MadeBody = components['schemas']['MadeBody'];
export type MarkedBody = components['schemas']['MarkedBody'];
export type Meant = components['schemas']['Meant'];
export type MemoryBody = components['schemas']['MemoryBody'];
export type MemoryChange = components['schemas']['MemoryChange'];
export type MemoryInput = components['schemas']['MemoryInput'];
export type MemoryPage = components['schemas']['MemoryPage'];
export type MemoryRecord = components['schemas']['MemoryRecord'];
export type MemoryStrategy = components['schemas']['MemoryStrategy'];
export type MemoryType = components['schemas']['MemoryType'];
export type MessageBody = components['schemas']['MessageBody'];
export type MessageInput = components['schemas']['MessageInput'];
export type MessageList = components['schemas']['MessageList'];
export type NewMemories = components['schemas']['NewMemories'];
export type NewRecord = components['schemas']['NewRecord'];
export type NewRecords = components['schemas']['NewRecords'];
export type NewTurn = components['schemas']['NewTurn'];
export type NewView = components['schemas']['NewView'];
export type Outcome = components['schemas']['Outcome'];
export type PartitionBody = components['schemas']['PartitionBody'];
export type PassDone = components['schemas']['PassDone'];
export type PlanAnswer = components['schemas']['PlanAnswer'];
export type PlanBody = components['schemas']['PlanBody'];
export type PlannedBody = components['schemas']['PlannedBody'];
export type PoolDone = components['schemas']['PoolDone'];
export type Preview = components['schemas']['Preview'];
export type Prompt = components['schemas']['Prompt'];
export type PromptMessage = components['schemas']['PromptMessage'];
export type PromptSession = components['schemas']['PromptSession'];
export type PromptText = components['schemas']['PromptText'];
export type Prompted = components['schemas']['Prompted'];
export type Proof = components['schemas']['Proof'];
export type Proposal = components['schemas']['Proposal'];
export type PruningAnswer = components['schemas']['PruningAnswer'];
export type PruningPolicy = components['schemas']['PruningPolicy'];
export type PruningRequest = components['schemas']['PruningRequest'];
export type PublicKey = components['schemas']['PublicKey'];
export type Question = components['schemas']['Question'];
export type QuotasBody = components['schemas']['QuotasBody'];
export type Ready = components['schemas']['Ready'];
export type RecallAnswer = components['schemas']['RecallAnswer'];
export type RecalledBody = components['schemas']['RecalledBody'];
export type Receipt = components['schemas']['Receipt'];
export type ReceiptPage = components['schemas']['ReceiptPage'];
export type RecordChange = components['schemas']['RecordChange'];
export type RecordResults = components['schemas']['RecordResults'];
export type RecordSearch = components['schemas']['RecordSearch'];
export type RefreshRequest = components['schemas']['RefreshRequest'];
export type RefreshedBody = components['schemas']['RefreshedBody'];
export type RestingAnswer = components['schemas']['RestingAnswer'];
export type RestingBody = components['schemas']['RestingBody'];
export type Result = components['schemas']['Result'];
export type RetentionState = components['schemas']['RetentionState'];
export type RetryAnswer = components['schemas']['RetryAnswer'];
export type RollupBody = components['schemas']['RollupBody'];
export type RunPartition = components['schemas']['RunPartition'];
export type RunView = components['schemas']['RunView'];
export type ScheduleAnswer = components['schemas']['ScheduleAnswer'];
export type ScheduleBody = components['schemas']['ScheduleBody'];
export type ScoreParts = components['schemas']['ScoreParts'];
export type Section = components['schemas']['Section'];
export type SessionList = components['schemas']['SessionList'];
export type SignedReceipt = components['schemas']['SignedReceipt'];
export type SourceClass = components['schemas']['SourceClass'];
export type SourceList = components['schemas']['SourceList'];
export type Statement = components['schemas']['Statement'];
export type StatementBody = components['schemas']['StatementBody'];
export type Status = components['schemas']['Status'];
export type StepBody = components['schemas']['StepBody'];
export type SummarizeInput = components['schemas']['SummarizeInput'];
export type SummarizeRequest = components['schemas']['SummarizeRequest'];
export type SummarizedBody = components['schemas']['SummarizedBody'];
export type SummarizedStatementBody = components['schemas']['SummarizedStatementBody'];
export type SummaryBody = components['schemas']['SummaryBody'];
export type SummaryPage = components['schemas']['SummaryPage'];
export type TagFilter = components['schemas']['TagFilter'];
export type TakenBack = components['schemas']['TakenBack'];
export type TaskBody = components['schemas']['TaskBody'];
export type TextInput = components['schemas']['TextInput'];
export type Tier = components['schemas']['Tier'];
export type TouchedSummary = components['schemas']['TouchedSummary'];
export type TurnAnswer = components['schemas']['TurnAnswer'];
export type Understood = components['schemas']['Understood'];
export type UnknownBody = components['schemas']['UnknownBody'];
export type Up = components['schemas']['Up'];
export type Usage = components['schemas']['Usage'];
export type UserPage = components['schemas']['UserPage'];
export type ViewBody = components['schemas']['ViewBody'];
export type ViewChange = components['schemas']['ViewChange'];
export type ViewDeleted = components['schemas']['ViewDeleted'];
export type ViewPlanBody = components['schemas']['ViewPlanBody'];
export type WireMessage = components['schemas']['WireMessage'];
export type WordSearch = components['schemas']['WordSearch'];
export type WorkingMemory = components['schemas']['WorkingMemory'];
export type WorkingMemoryAnswer = components['schemas']['WorkingMemoryAnswer'];
export type WriteAnswer = components['schemas']['WriteAnswer'];
export type WrittenBody = components['schemas']['WrittenBody'];
export type Problem = components['schemas']['Problem'];
export type Flaw = components['schemas']['Flaw'];
export type Invalid = components['schemas']['Invalid'];
export type ResponseError400 = components['responses']['Error400'];
export type ResponseError401 = components['responses']['Error401'];
export type ResponseError402 = components['responses']['Error402'];
export type ResponseError403 = components['responses']['Error403'];
export type ResponseError404 = components['responses']['Error404'];
export type ResponseError408 = components['responses']['Error408'];
export type ResponseError409 = components['responses']['Error409'];
export type ResponseError410 = components['responses']['Error410'];
export type ResponseError413 = components['responses']['Error413'];
export type ResponseError415 = components['responses']['Error415'];
export type ResponseError421 = components['responses']['Error421'];
export type ResponseError422 = components['responses']['Error422'];
export type ResponseError429 = components['responses']['Error429'];
export type ResponseError500 = components['responses']['Error500'];
export type ResponseError503 = components['responses']['Error503'];
export type ResponseError405 = components['responses']['Error405'];
export type ResponseError412 = components['responses']['Error412'];
export type $defs = Record<string, never>;
export interface operations {
    memories_list: {
        parameters: {
            query?: {
                user_id?: string | null;
                project_id?: string | null;
                environment?: string | null;
                extracted_type?: string | null;
                namespace?: string[] | string | null;
                session_id?: string | null;
                agent_id?: string | null;
                run_id?: string | null;
                memory_type?: components["schemas"]["MemoryType"] | null;
                min_trust?: components["schemas"]["SourceClass"] | null;
                as_of?: string | null;
                is_summary?: boolean | null;
                /** @description rows of a page */
                limit?: number;
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    memories_write: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMemories"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    memories_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryBody"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    memories_forget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    memories_edit: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string | null;
            };
            path: {
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemoryChange"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    memories_forget_many: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgetRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmed"] | components["schemas"]["Receipt"] | components["schemas"]["Preview"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    users_export: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    users_import: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Carried"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    users_list: {
        parameters: {
            query?: {
                /** @description rows of a page */
                limit?: number;
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    users_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldBody"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    users_forget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    receipts_list: {
        parameters: {
            query?: {
                /** @description those that name this memory */
                memory_id?: string | null;
                /** @description those that name this user */
                user_id?: string | null;
                /** @description rows of a page */
                limit?: number;
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    receipts_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicKey"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    receipts_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                receipt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedReceipt"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    receipts_verify_forgotten: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WordSearch"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proof"] | components["schemas"]["Begun"];
                };
            };
            /** @description It goes on: ask for the task. */
            202: {
                headers: {
                    /** @description the task: where to ask how far it is */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Begun"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    recall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Question"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecallAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    recall_context: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContextQuestion"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    summaries_list: {
        parameters: {
            query?: {
                user_id?: string | null;
                project_id?: string | null;
                environment?: string | null;
                extracted_type?: string | null;
                policy?: ("archive" | "clusters" | "conversations" | "day" | "month" | "views" | "week") | null;
                min_trust?: components["schemas"]["SourceClass"] | null;
                as_of?: string | null;
                /** @description rows of a page */
                limit?: number;
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummaryPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    summaries_read: {
        parameters: {
            query?: {
                as_of?: string | null;
            };
            header?: never;
            path: {
                summary_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummaryBody"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    summaries_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                summary_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    summaries_edit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                summary_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    summaries_history: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                summary_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryAnswer"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    summaries_sources: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                summary_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    summaries_refresh: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                summary_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    summaries_plan: {
        parameters: {
            query?: {
                user_id?: string | null;
                project_id?: string | null;
                environment?: string | null;
                extracted_type?: string | null;
                policy?: ("archive" | "clusters" | "conversations" | "day" | "month" | "views" | "week") | null;
                /** @description current groups too, not only stale ones */
                all?: boolean;
                /** @description rows of a page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanAnswer"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    summaries_resting: {
        parameters: {
            query: {
                memory_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestingAnswer"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    clusters_list: {
        parameters: {
            query?: {
                user_id?: string | null;
                project_id?: string | null;
                environment?: string | null;
                extracted_type?: string | null;
                /** @description a subject, in any of its spellings */
                key?: string | null;
                /** @description only those with too few memories for a summary, or with enough */
                sparse?: boolean | null;
                /** @description rows of a page */
                limit?: number;
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    clusters_stats: {
        parameters: {
            query?: {
                user_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterStats"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    feedback_give: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                summary_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiveFeedback"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    feedback_give_on_statement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                summary_id: string;
                /** @description its place in the summary's statements, from 0 */
                number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiveStatementFeedback"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    feedback_list: {
        parameters: {
            query?: {
                summary_id?: string | null;
                user_id?: string | null;
                verdict?: ("wrong" | "good") | null;
                /** @description rows of a page */
                limit?: number;
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackPage"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    feedback_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                feedback_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackBody"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    feedback_take_back: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                feedback_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TakenBack"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    costs_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostAnswer"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    jobs_list: {
        parameters: {
            query?: {
                state?: ("waiting" | "running" | "scheduled" | "retrying" | "rejected" | "failed") | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobsAnswer"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    jobs_retry_all: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryAnswer"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    jobs_retry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryAnswer"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    drafting_summarize_texts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SummarizeInput"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummarizedBody"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    drafting_check: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckInput"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedBody"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_long_term_memory_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRecords"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ack"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_long_term_memory_search: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordSearch"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordResults"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_long_term_memory_forget: {
        parameters: {
            query?: {
                namespace?: string | null;
                user_id?: string | null;
                session_id?: string | null;
                limit?: number;
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PruningRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PruningAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_long_term_memory_compact: {
        parameters: {
            query?: {
                namespace?: string | null;
                user_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ack"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_long_term_memory_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryRecord"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_long_term_memory_edit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordChange"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryRecord"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_long_term_memory_delete: {
        parameters: {
            query?: {
                memory_ids?: string[] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ack"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_memory_prompt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Prompt"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prompted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_summary_views_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewBody"][];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_summary_views_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewView"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewBody"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_summary_views_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewBody"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_summary_views_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewDeleted"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_summary_views_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewChange"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewBody"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_summary_views_plan: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewPlanBody"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_summary_views_run_partition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunPartition"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartitionBody"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_summary_views_partitions: {
        parameters: {
            query?: {
                user_id?: string | null;
                namespace?: string | null;
                session_id?: string | null;
                memory_type?: string | null;
            };
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartitionBody"][];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_summary_views_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunView"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskBody"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_tasks_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskBody"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rollups_list: {
        parameters: {
            query: {
                period: "daily" | "weekly" | "monthly";
                /** @description of everybody without it, and then with userId in each */
                userId?: string | null;
                limit?: number;
                /** @description what X-Next-Cursor said */
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RollupBody"][];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    schedules_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleAnswer"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    schedules_summarize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SummarizeRequest"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeBody"] | components["schemas"]["PassDone"] | components["schemas"]["Begun"];
                };
            };
            /** @description It goes on: ask for the task. The same request follows it. */
            202: {
                headers: {
                    /** @description the task: where to ask how far it is */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Begun"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    conversations_list: {
        parameters: {
            query?: {
                user_id?: string | null;
                namespace?: string | null;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    conversations_turn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTurn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    conversations_context: {
        parameters: {
            query?: {
                user_id?: string | null;
                namespace?: string | null;
                project_id?: string | null;
                environment?: string | null;
                token_budget?: number | null;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationContext"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    conversations_messages: {
        parameters: {
            query?: {
                user_id?: string | null;
                namespace?: string | null;
                project_id?: string | null;
                environment?: string | null;
                /** @description seq of the first message of the page before */
                before?: number | null;
                limit?: number;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    conversations_forget: {
        parameters: {
            query?: {
                user_id?: string | null;
                namespace?: string | null;
                project_id?: string | null;
                environment?: string | null;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"] | null;
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_working_memory_sessions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                namespace?: string | null;
                user_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_working_memory_read: {
        parameters: {
            query?: {
                user_id?: string | null;
                namespace?: string | null;
                model_name?: string | null;
                context_window_max?: number | null;
                recent_messages_limit?: number | null;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkingMemoryAnswer"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_working_memory_write: {
        parameters: {
            query?: {
                user_id?: string | "" | null;
                model_name?: string | null;
                context_window_max?: number | null;
            };
            header?: {
                "if-match"?: string | null;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkingMemory"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkingMemoryAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    wire_working_memory_delete: {
        parameters: {
            query?: {
                user_id?: string | null;
                namespace?: string | null;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ack"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            421: components["responses"]["Error421"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    health_alive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Up"];
                };
            };
        };
    };
    health_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            503: components["responses"]["Error503"];
        };
    };
    wire_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            503: components["responses"]["Error503"];
        };
    };
}
