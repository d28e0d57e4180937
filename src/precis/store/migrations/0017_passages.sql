ALTER TABLE memories
    -- Of a text of several passages: for each of terms, in their order, the number of the passage that it stands in. Recall
    -- goes by the best passage. Rows that were written before this column are one passage until they are edited.
    ADD COLUMN passages smallint[];
