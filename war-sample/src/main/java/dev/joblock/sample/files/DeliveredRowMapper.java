package dev.joblock.sample.files;

import java.time.LocalDate;
import org.springframework.batch.infrastructure.item.file.mapping.FieldSetMapper;
import org.springframework.batch.infrastructure.item.file.transform.FieldSet;

/** Reads the fields of a line, strictly: what is not as agreed makes the line a broken one. Stateless. */
public class DeliveredRowMapper implements FieldSetMapper<DeliveredRow> {

    @Override
    public DeliveredRow mapFieldSet(FieldSet fields) {
        if (fields.readString("reference").isEmpty()) {
            throw new IllegalArgumentException("no reference");
        }
        return new DeliveredRow(
                fields.readString("reference"),
                fields.readString("account"),
                fields.readBigDecimal("amount"),
                LocalDate.parse(fields.readString("booked")));
    }
}
