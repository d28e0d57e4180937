-- What is read of a row m of memories; precis.store.rows makes a Memory of it.
memory_id, user_id, project_id, environment, namespace, session_id, agent_id, run_id, memory_type, extracted_type,
key_hash, person_hash, tier, retention_state, is_summary, parent_id, text_ciphertext, summary_ciphertext,
attributes_ciphertext, embedding_version, importance, pinned, access_count, last_accessed, event_date, fingerprint,
tokens, created_at, updated_at, superseded_at, source_class, {{pairs}}
